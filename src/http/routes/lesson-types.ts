import { changeLessonType } from '../../booking/school/change-lesson-type.ts'
import { LessonTypeChangeSchema, LessonTypeSchema } from '../../contract/lesson-type.ts'
import { findLessonType, listLessonTypes } from '../../db/school/lesson-types.ts'
import { resourceRoutes } from '../resource-routes.ts'
import type { App, Service } from '../service.ts'

const LESSON_TYPES = {
  noun: 'lesson type',
  reads: 'see_the_catalogue',
  writes: 'run_the_school',
  rows: { schema: LessonTypeSchema, change: LessonTypeChangeSchema },
} as const

/** Routes for lesson types, read-only because the country's pack defines them, and for the school's settings of each. */
export function lessonTypeRoutes(app: App, service: Service): void {
  resourceRoutes(app, service, {
    ...LESSON_TYPES,
    path: '/lesson-types',
    tag: 'catalogue',
    list: {
      run: (db, { tenant }) => listLessonTypes(db, tenant.id),
      operationId: 'listLessonTypes',
      summary: 'List the lesson types in the order of the school, hidden ones included',
      description:
        'Use it to choose the type of a lesson. Hidden types are listed, because lessons may have them.',
    },
    get: {
      run: (db, { tenant }, id) => findLessonType(db, tenant.id, id),
      operationId: 'getLessonType',
      summary: 'Read a lesson type',
      description:
        'Use it to get the version before a change of its settings. Hidden lesson types can be read, too.',
    },
  })
  resourceRoutes(app, service, {
    ...LESSON_TYPES,
    path: '/tenant/lesson-types',
    tag: 'tenant',
    change: {
      run: changeLessonType,
      operationId: 'changeLessonType',
      summary:
        "Change the school's settings of a lesson type: name, visibility, position, colour, length, seats",
      description:
        "Only for owners. Code, category and requirements come from the country's pack and cannot be changed.",
    },
  })
}

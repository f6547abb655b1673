import { Type } from 'typebox'
import { closed, ref } from '../../contract/fields.ts'
import { LessonTypeSchema } from '../../contract/lesson-type.ts'
import { listLessonTypes } from '../../db/lesson-types.ts'
import type { Database } from '../../db/tables.ts'
import { answers, empty } from '../answers.ts'
import { type List, pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

/** The tenant's lesson types, in their pack's order. */
export function lessonTypeList(db: Database, tenantId: string): List {
  return { read: (page) => listLessonTypes(db, tenantId, page), orderedBy: ['id'] }
}

/** Lesson types are read-only: the command line makes them from a country's pack. */
export function lessonTypeRoutes(app: App, { db }: Service): void {
  app.get(
    '/lesson-types',
    {
      schema: {
        tags: ['catalogue'],
        operationId: 'listLessonTypes',
        summary: 'List the lesson types',
        querystring: closed(pageParameters),
        response: answers({ 200: Type.Array(ref(LessonTypeSchema)), 304: empty('Not modified') }, 401),
      },
    },
    async (request, reply) => sendList(request, reply, lessonTypeList(db, request.actor.tenant.id)),
  )
}

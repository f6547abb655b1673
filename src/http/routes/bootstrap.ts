import { BootstrapSchema } from '../../contract/bootstrap.ts'
import { ref } from '../../contract/fields.ts'
import { answers } from '../answers.ts'
import { sendObject } from '../list-reply.ts'
import type { App, Service } from '../service.ts'
import { instructorList } from './instructors.ts'
import { lessonTypeList } from './lesson-types.ts'
import { licenseClassTemplateList } from './license-class-templates.ts'
import { studentList } from './students.ts'

/** The one aggregated read for a single-page front end. */
export function bootstrapRoutes(app: App, { db }: Service): void {
  app.get(
    '/bootstrap',
    {
      schema: {
        tags: ['bootstrap'],
        operationId: 'bootstrap',
        summary: 'User, tenant, students, instructors, lesson types and templates in one object',
        response: answers({ 200: ref(BootstrapSchema) }, 401),
      },
    },
    async ({ session: { user, tenant } }, reply) => {
      const lists = {
        students: studentList(db, tenant.id),
        instructors: instructorList(db, tenant.id),
        lessonTypes: lessonTypeList(db, tenant.id),
        templates: licenseClassTemplateList(db, tenant.id),
      }
      return sendObject(reply, { user, tenant }, lists)
    },
  )
}

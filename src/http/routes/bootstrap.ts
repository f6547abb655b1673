import { BootstrapSchema } from '../../contract/bootstrap.ts'
import { ref } from '../../contract/fields.ts'
import { answers, empty } from '../answers.ts'
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
        response: answers({ 200: ref(BootstrapSchema), 304: empty('Not modified') }, 401),
      },
    },
    async (request, reply) => {
      const { user, tenant } = request.session
      const lists = {
        students: studentList(db, tenant.id),
        instructors: instructorList(db, tenant.id),
        lessonTypes: lessonTypeList(db, tenant.id),
        templates: licenseClassTemplateList(db, tenant.id),
      }
      return sendObject(request, reply, { user, tenant }, lists)
    },
  )
}

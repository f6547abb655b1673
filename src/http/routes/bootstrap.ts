import { ownOf, seenStudentsOf } from '../../auth/permissions.ts'
import { examRulesOf } from '../../booking/packs/packs.ts'
import { BootstrapSchema } from '../../contract/bootstrap.ts'
import { ref } from '../../contract/fields.ts'
import { listInstructors } from '../../db/school/instructors.ts'
import { listLessonTypes } from '../../db/school/lesson-types.ts'
import { listLicenseClassTemplates } from '../../db/school/license-class-templates.ts'
import { requireTenant } from '../../db/school/tenants.ts'
import { listStudents } from '../../db/students/students.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { sendObject } from '../responses/list-reply.ts'
import { readable } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** The route of the one aggregated read, for the start of a single-page front end. */
export function bootstrapRoutes(app: App, { db }: Service): void {
  app.get(
    '/bootstrap',
    operation('bootstrap', {
      permission: 'look',
      operationId: 'bootstrap',
      summary: 'Read user, tenant, students, instructors, lesson types and templates in one object',
      description:
        'Use it once when a front end starts, then follow `GET /changes/since`. An instructor gets only their own row, the students of their own lessons, and those whom the school lets them book.',
      returns: 'The data in one object.',
      response: readable(ref(BootstrapSchema), 401),
    }),
    async (request, reply) => {
      const { user } = request.session
      // Sessions may cache the school, but a client that reloads because it has changed must see the change.
      const tenant = await requireTenant(db, request.actor.tenant.id)
      const own = ownOf(request.actor)
      const today = localToday(request.actor.now, tenant.timezone)
      const lists = {
        students: listStudents(db, tenant.id, seenStudentsOf({ ...request.actor, tenant })),
        instructors: listInstructors(db, tenant.id, own),
        lessonTypes: listLessonTypes(db, tenant.id),
        templates: listLicenseClassTemplates(db, tenant.id, examRulesOf(tenant.country), today),
      }
      return sendObject(request, reply, { user, tenant }, lists)
    },
  )
}

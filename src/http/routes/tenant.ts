import { changeTenant } from '../../booking/change-tenant.ts'
import { ref } from '../../contract/fields.ts'
import { TenantChangeSchema, TenantSchema, tenantFaultsFor } from '../../contract/tenant.ts'
import { requireTenant } from '../../db/tenants.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../responses/entity-tag.ts'
import { BODY, noContent, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const tags = ['tenant']

/** Routes for the school. Country, time zone and unit never change. */
export function tenantRoutes(app: App, service: Service): void {
  readRoute(app, service)
  changeRoute(app, service)
}

function readRoute(app: App, { db }: Service): void {
  app.get(
    '/tenant',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'getTenant',
        summary: 'Read the school',
        description:
          'Use it for the time zone of all wall-clock times, the length of a unit and the defaults of new instructors.',
        returns: 'The school.',
        response: responses({ 200: ref(TenantSchema), 304: noContent('You have the current version') }, 401),
      },
    },
    async (request, reply) => sendVersioned(request, reply, await requireTenant(db, request.actor.tenant.id)),
  )
}

function changeRoute(app: App, { db, sessions }: Service): void {
  app.patch(
    '/tenant',
    {
      config: { permission: 'run_the_school', faultsFor: tenantFaultsFor },
      schema: {
        tags,
        operationId: 'changeTenant',
        summary: "Change the school's name, language, and what new instructors start from",
        description:
          'Only owners may. Defaults apply to instructors hired from then on; country, time zone and the length of a unit cannot be changed.',
        returns: 'The school as changed.',
        headers: ifMatch,
        body: ref(TenantChangeSchema),
        sends: ['ETag'],
        response: responses({ 200: ref(TenantSchema) }, 401, 403, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const tenant = await changeTenant(db, actor, { change: body, isExpected: expectedVersion(request) })
      sessions.forgetTenant(tenant.id)
      return sendVersioned(request, reply, tenant)
    },
  )
}

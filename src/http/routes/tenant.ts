import { requireProof } from '../../auth/proof.ts'
import { changeTenant } from '../../booking/school/change-tenant.ts'
import { ref } from '../../contract/fields.ts'
import { TenantChangeSchema, TenantSchema, tenantFaultsFor } from '../../contract/tenant.ts'
import { requireTenant } from '../../db/school/tenants.ts'
import { operation } from '../operation.ts'
import { expectedVersion, sendVersioned } from '../responses/entity-tag.ts'
import { readable } from '../responses/responses.ts'
import { changes } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

/** Routes for the school. Country and unit never change. */
export function tenantRoutes(app: App, service: Service): void {
  const { db, sessions } = service

  app.get(
    '/tenant',
    operation('tenant', {
      permission: 'see_the_catalogue',
      operationId: 'getTenant',
      summary: 'Read the school',
      description:
        'Use it to get the time zone of all wall-clock times, the length of a unit and the settings.',
      returns: 'The school.',
      response: readable(ref(TenantSchema), 401),
    }),
    async (request, reply) => sendVersioned(reply, await requireTenant(db, request.actor.tenant.id)),
  )

  app.patch(
    '/tenant',
    operation('tenant', {
      permission: 'run_the_school',
      faultsFor: tenantFaultsFor,
      operationId: 'changeTenant',
      summary: "Change the school's name, language, settings, and the defaults of new instructors",
      description:
        'Only for owners. Defaults apply to instructors who are added later; country and the length of a unit cannot be changed. Another `timezone` is a correction: wall-clock times stay, waiting messages and the weekly round keep their times of day. It needs a proof of the last five minutes (`POST /auth/proof`), otherwise 403 `proof_required`; so does another `second_factor`, which is 409 `no_second_factor` if you require one without having one yourself. 409 `in_use` with up to 20 `params.lessons` whose start or end a clock change of the new zone skips.',
      returns: 'The school as changed.',
      ...changes(TenantChangeSchema, TenantSchema, 409),
    }),
    async (request, reply) => {
      const { actor, body, session } = request
      const isAnother = (['timezone', 'second_factor'] as const).some(
        (name) => body[name] !== undefined && body[name] !== actor.tenant[name],
      )
      if (isAnother) await requireProof(db, session)
      const tenant = await changeTenant(db, actor, { change: body, isExpected: expectedVersion(request) })
      sessions.forgetTenant(tenant.id)
      return sendVersioned(reply, tenant)
    },
  )
}

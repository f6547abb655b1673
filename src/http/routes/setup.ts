import { setUp } from '../../booking/school/set-up.ts'
import { TokensSchema } from '../../contract/auth.ts'
import { ref } from '../../contract/fields.ts'
import { SetupSchema, SetupStateSchema } from '../../contract/setup.ts'
import { hasTenants } from '../../db/school/tenants.ts'
import { operation } from '../operation.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { deviceOf } from '../requests/device-of.ts'
import { tokensFor } from '../requests/tokens.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const bodyLimit = 4 * 1024

/** Routes to set up an installation without a school. */
export function setupRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/setup',
    operation('setup', {
      open: true,
      operationId: 'getSetup',
      summary: 'Read whether the installation waits for its first school',
      description:
        'Use it to decide whether to show the set-up page. It needs no login and reveals nothing else.',
      returns: 'Whether the set-up is open.',
      response: responses({ 200: ref(SetupStateSchema) }),
    }),
    async () => ({ is_open: !(await hasTenants(db)) }),
  )

  app.post(
    '/setup',
    operation('setup', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      operationId: 'setUp',
      summary: 'Create the first school and its owner, and log the owner in',
      description:
        'Works once, with the token that the service prints when it starts without a school; otherwise 404.',
      returns: "The owner's tokens; the cookies are set.",
      body: ref(SetupSchema),
      response: responses({ 200: ref(TokensSchema) }, 404, 429, ...BODY),
    }),
    async (request, reply) => {
      const { config, refreshSecrets: secrets } = service
      const { jwtSecret, loginLimits: limits } = config
      const from = { network: clientNetwork(request), device: await deviceOf(request) }
      const context = { ...from, secrets, limits, jwtSecret, now: service.now() }
      const session = await setUp(service.db, request.body, context)
      const { tid: tenant_id, sub: user_id } = session.claims
      request.log.info({ event: 'set_up', ip: request.ip, tenant_id, user_id }, 'set up')
      return tokensFor(session, service, reply)
    },
  )
}

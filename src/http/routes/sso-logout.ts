import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../contract/formats.ts'
import { Problem } from '../../contract/problem.ts'
import { SsoRefusal } from '../../sso/issuers.ts'
import { endBySso } from '../../sso/sso-logout.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf } from '../load/queue-requests.ts'
import { clientNetwork } from '../requests/client-network.ts'
import type { App, Service } from '../service.ts'
import { ssoContextOf } from './sso.ts'

const MAX_BYTES = 16 * 1024

/** The address for back-channel logout, in the form that OpenID Connect demands of it, and so beside the API. */
export function ssoLogoutRoutes(app: App, service: Service): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )
  app.post<{ Params: { school: string } }>(
    '/sso/logout/:school',
    { config: { open: true }, schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        await endSessions(request, service)
        return await reply.code(200).send()
      } catch (error) {
        request.log.warn({ event: 'sso_logout_refused', ip: request.ip, reason: reasonOf(error) }, 'refused')
        return reply.code(400).send({ error: 'invalid_request' })
      }
    },
  )
}

async function endSessions(
  request: FastifyRequest<{ Params: { school: string } }>,
  service: Service,
): Promise<void> {
  const school = request.params.school.toLowerCase()
  if (!isUuid(school)) throw new SsoRefusal('school')
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const token = form.get('logout_token') ?? ''
  const flow = { ...ssoContextOf(service), now: service.now() }
  const ended = await inQueueOf(service, strangerFrom(clientNetwork(request)), () =>
    endBySso(service.db, { school, token }, flow),
  )
  service.sessions.forget(ended)
  const facts = { event: 'sso_logout', ip: request.ip, tenant_id: school, sessions: ended.length }
  request.log.info(facts, 'logout by the issuer')
}

/** Returns the reason of a refused token. Throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof SsoRefusal) return error.message
  if (error instanceof Problem && error.code === 'not_found') return 'school'
  throw error
}

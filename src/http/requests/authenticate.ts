import type { FastifyRequest } from 'fastify'
import type { Claims, TokenFault } from '../../auth/access-token.ts'
import { type Permission, requirePermission, requireScope } from '../../auth/permissions.ts'
import type { Session } from '../../auth/session.ts'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf } from '../load/queue-requests.ts'
import type { App, Service } from '../service.ts'
import { ACCESS_COOKIE, cookieValues, mayUseCookie } from './access-cookie.ts'
import { clientNetwork } from './client-network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session, set like `actor` on every route that is not open. */
    session: Session
    actor: Actor
  }
  interface FastifyContextConfig {
    /** Whether a route other than GET changes nothing, so that API tokens with the scope `read` may use it. */
    reads?: boolean
    /** Whether the route needs no access token, such as login, refresh and logout. */
    open?: boolean
    /** The permission to use the route; required unless it is open. */
    permission?: Permission
    /** Whether the route serves users who have yet to set up the second factor that their school requires. */
    beforeSecondFactor?: boolean
  }
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/** Authenticates by header, or else by cookie. Throws `unauthenticated` (logged), and `forbidden` if the role lacks permission. */
export async function authenticate(request: FastifyRequest, service: Service): Promise<void> {
  const token = tokenOf(request, service)
  if (!token) throw new Problem('unauthenticated')
  actIn(await sessionOf(token, request, service), request, service.now())
}

/** Checks the session again after the body has arrived and the turn has begun, because both can take long. */
export function authenticateAgain(api: App, service: Service): void {
  api.addHook('preValidation', (request, _reply, done) => {
    const { session } = request
    if (session === undefined || service.sessions.isCurrent(session)) return done()
    renew(request, service).then(() => done(), done)
  })
}

async function renew(request: FastifyRequest, service: Service): Promise<void> {
  const { session, actor, turn } = request
  const read = () => service.sessions.findAgain(session)
  const current = await (turn ? read() : inQueueOf(service, { school: actor.tenant.id }, read))
  if (!current) throw ended(request, service, session)
  actIn(current, request, actor.now)
}

/** Throws `unauthenticated` or `forbidden` if the session has changed since the response began. */
export async function requireSameSession(request: FastifyRequest, service: Service): Promise<void> {
  const { session } = request
  if (session === undefined || service.sessions.isCurrent(session)) return
  const current = await service.sessions.findAgain(session)
  if (!current) throw ended(request, service, session)
  const { role, instructor_id } = session.user
  if (current.mustSetUp || current.user.role !== role || current.user.instructor_id !== instructor_id)
    throw new Problem('forbidden')
}

/**
 * Sets session and actor. Throws `second_factor_setup_required`, `forbidden` if the role lacks the route's permission, and
 * `insufficient_scope` if an API token does.
 */
function actIn(session: Session, request: FastifyRequest, now: Date): void {
  request.session = session
  request.actor = actorOf(request, now)
  const { permission, beforeSecondFactor, reads = READING.has(request.method) } = request.routeOptions.config
  if (session.mustSetUp && !beforeSecondFactor) throw new Problem('second_factor_setup_required')
  if (!permission) return
  requirePermission({ role: session.user.role, tenant: session.tenant }, permission)
  if (session.scope) requireScope(session.scope, permission, reads)
}

async function sessionOf(token: string, request: FastifyRequest, service: Service): Promise<Session> {
  const { sessions, refusedTokens } = service
  const claims = await claimsOf(token, request, service)
  if (typeof claims === 'string') {
    refusedTokens.log(request, { token: 'access', reason: claims })
    throw new Problem('unauthenticated')
  }
  const session = await sessions.find(claims, (read) => inQueueOf(service, { school: claims.tid }, read))
  if (session) return session
  const { tid: tenant_id, sub: user_id } = claims
  refusedTokens.log(request, { token: 'access', reason: 'session_ended', tenant_id, user_id })
  throw new Problem('unauthenticated')
}

/**
 * Returns the claims of an access token, or of an API token, which is taken from the header only and read in the line of
 * requests without a school.
 */
async function claimsOf(
  token: string,
  request: FastifyRequest,
  service: Service,
): Promise<Claims | TokenFault> {
  const { accessTokens, apiTokens } = service
  const claims = await accessTokens.verify(token, service.now())
  if (claims !== 'invalid' || request.headers.authorization === undefined) return claims
  const line = strangerFrom(clientNetwork(request))
  return (await apiTokens.find(token, (read) => inQueueOf(service, line, read))) ?? 'invalid'
}

function ended(request: FastifyRequest, { refusedTokens }: Service, { user, tenant }: Session): Problem {
  const who = { tenant_id: tenant.id, user_id: user.id }
  refusedTokens.log(request, { token: 'access', reason: 'session_ended', ...who })
  return new Problem('unauthenticated')
}

function actorOf({ id: set_id, session }: FastifyRequest, now: Date): Actor {
  const { user, tenant, familyId: session_id } = session
  const { id, name, role, instructor_id } = user
  return { kind: 'user', id, name, role, instructor_id, tenant, now, set_id, session_id }
}

/** Returns the token of the header, or of the cookie if there is no header. Two different cookies count as none. */
function tokenOf(request: FastifyRequest, service: Service): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1]
  const [cookie, another] = cookieValues(request, ACCESS_COOKIE)
  if (another !== undefined || !mayUseCookie(request, service.config)) return undefined
  return cookie
}

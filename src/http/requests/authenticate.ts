import type { FastifyRequest } from 'fastify'
import { type Permission, requirePermission } from '../../auth/permissions.ts'
import type { Session } from '../../auth/session.ts'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { inQueueOf } from '../load/queue-requests.ts'
import type { App, Service } from '../service.ts'
import { ACCESS_COOKIE, cookieValues, mayUseCookie } from './access-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session in which the request is made. Set, as the actor, on every route that is not open. */
    session: Session
    actor: Actor
  }
  interface FastifyContextConfig {
    /** Needs no access token: login, refresh, logout. */
    open?: boolean
    /** The permission that it needs. Every route that is not open names one. */
    permission?: Permission
  }
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/**
 * Finds out who acts, from the header or else from the cookie. Throws `unauthenticated`, and logs a token that is refused;
 * throws `forbidden` if the role lacks the permission of the route.
 */
export async function authenticate(request: FastifyRequest, service: Service): Promise<void> {
  const token = tokenOf(request, service)
  if (!token) throw new Problem('unauthenticated')
  actIn(await sessionOf(token, request, service), request, service.now())
}

/**
 * Checks the session of every request again when its body is there and its turn has come: until then it may have ended, or its
 * user may have been given another role. Throws as `authenticate` does.
 */
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

/** Throws `unauthenticated` or `forbidden` unless the session of a request that is being answered is what it was when it began. */
export async function requireSameSession(request: FastifyRequest, service: Service): Promise<void> {
  const { session } = request
  if (session === undefined || service.sessions.isCurrent(session)) return
  const current = await service.sessions.findAgain(session)
  if (!current) throw ended(request, service, session)
  const { role, instructor_id } = session.user
  if (current.user.role !== role || current.user.instructor_id !== instructor_id)
    throw new Problem('forbidden')
}

/** Lets a request act in a session. Throws `forbidden` if the role lacks the permission of the route. */
function actIn(session: Session, request: FastifyRequest, now: Date): void {
  request.session = session
  request.actor = actorOf(request, now)
  const { permission } = request.routeOptions.config
  if (permission) requirePermission(session.user.role, permission)
}

async function sessionOf(token: string, request: FastifyRequest, service: Service): Promise<Session> {
  const { accessTokens, sessions, refusedTokens } = service
  const claims = await accessTokens.verify(token, service.now())
  if (typeof claims === 'string') {
    refusedTokens.note(request, { token: 'access', reason: claims })
    throw new Problem('unauthenticated')
  }
  const session = await sessions.find(claims, (read) => inQueueOf(service, { school: claims.tid }, read))
  if (session) return session
  const { tid: tenant_id, sub: user_id } = claims
  refusedTokens.note(request, { token: 'access', reason: 'session_ended', tenant_id, user_id })
  throw new Problem('unauthenticated')
}

function ended(request: FastifyRequest, { refusedTokens }: Service, { user, tenant }: Session): Problem {
  const who = { tenant_id: tenant.id, user_id: user.id }
  refusedTokens.note(request, { token: 'access', reason: 'session_ended', ...who })
  return new Problem('unauthenticated')
}

function actorOf({ id: set_id, session }: FastifyRequest, now: Date): Actor {
  const { user, tenant, familyId: session_id } = session
  const { id, name, role, instructor_id } = user
  return { kind: 'user', id, name, role, instructor_id, tenant, now, set_id, session_id }
}

/** A header wins, and a bad one is not made good by a cookie. Two different cookies are nobody's. */
function tokenOf(request: FastifyRequest, service: Service): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1]
  const [cookie, another] = cookieValues(request, ACCESS_COOKIE)
  if (another !== undefined || !mayUseCookie(request, service.config)) return undefined
  return cookie
}

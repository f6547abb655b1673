import type { FastifyRequest } from 'fastify'
import type { Claims } from '../auth/access-token.ts'
import type { Session } from '../auth/session.ts'
import { Problem } from '../contract/problem.ts'
import { ACCESS_COOKIE, cookieValues, mayUseCookie } from './access-cookie.ts'
import type { Service } from './service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who acts. Set on every route that is not open. */
    session: Session
  }
  interface FastifyContextConfig {
    /** Needs no access token: login, refresh, logout. */
    open?: boolean
  }
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/** Finds out who acts, from the header or else from the cookie. Throws `unauthenticated`. */
export async function authenticate(request: FastifyRequest, service: Service): Promise<void> {
  const token = tokenOf(request, service)
  const claims = token && (await service.accessTokens.verify(token, service.now()))
  const session = claims && (await findSession(claims, service))
  if (!session) throw new Problem('unauthenticated')
  request.session = session
}

function findSession(claims: Claims, { sessions }: Service): Promise<Session | undefined> {
  return sessions.find(claims)
}

/** A header wins, and a bad one is not made good by a cookie. Two different cookies are nobody's. */
function tokenOf(request: FastifyRequest, service: Service): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1]
  const [cookie, another] = cookieValues(request, ACCESS_COOKIE)
  if (another !== undefined || !mayUseCookie(request, service.config)) return undefined
  return cookie
}

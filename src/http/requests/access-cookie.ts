import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCESS_TOKEN_SECONDS } from '../../auth/access-token.ts'
import { REFRESH_TOKEN_SECONDS } from '../../db/accounts/refresh-tokens.ts'

export const ACCESS_COOKIE = 'svc_jwt'
export const REFRESH_COOKIE = 'svc_refresh'

type CookieConfig = {
  readonly cookieDomain: string | undefined
  readonly corsOrigins: readonly string[]
  readonly publicUrl: string | undefined
}

/** Returns the distinct values of a cookie. If there are several, somebody else has set one. */
export function cookieValues(request: FastifyRequest, name: string): readonly string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return [...new Set(values)]
}

/** Returns the unverified refresh token of the body, or else of the cookie if that has one value. */
export function refreshTokenOf(request: FastifyRequest): string | undefined {
  const { refresh_token } = (request.body ?? {}) as { readonly refresh_token?: unknown }
  if (typeof refresh_token === 'string') return refresh_token
  const [cookie, another] = cookieValues(request, REFRESH_COOKIE)
  return another === undefined ? cookie : undefined
}

/** Sets both token cookies, so that scripts need not store tokens. */
export function setCookies(
  reply: FastifyReply,
  { token, refreshToken }: { token: string; refreshToken: string },
  config: CookieConfig,
): void {
  reply.setCookie(ACCESS_COOKIE, token, { ...accessAttributes(config), maxAge: ACCESS_TOKEN_SECONDS })
  reply.setCookie(REFRESH_COOKIE, refreshToken, { ...refreshAttributes, maxAge: REFRESH_TOKEN_SECONDS })
}

/** Clears both cookies with the attributes they were set with, as browsers require. */
export function clearCookies(reply: FastifyReply, config: CookieConfig): void {
  reply.setCookie(ACCESS_COOKIE, '', { ...accessAttributes(config), maxAge: 0 })
  reply.setCookie(REFRESH_COOKIE, '', { ...refreshAttributes, maxAge: 0 })
}

/**
 * Whether cookies may authenticate this request. A write needs an `Origin` of the service or the CORS list. Without `Origin`,
 * `Sec-Fetch-Site` must not name another site. A client that sends neither header is not a browser, and passes.
 */
export function mayUseCookie(request: FastifyRequest, config: CookieConfig): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { origin, host } = request.headers
  if (origin !== undefined) {
    if (config.corsOrigins.includes(origin) || origin === config.publicUrl) return true
    return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
  }
  const site = request.headers['sec-fetch-site']
  return site !== 'cross-site' && site !== 'same-site'
}

function accessAttributes({ cookieDomain }: CookieConfig) {
  return {
    ...(cookieDomain ? { domain: cookieDomain } : {}),
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
  } as const
}

const refreshAttributes = {
  path: '/api/v1/auth',
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
} as const

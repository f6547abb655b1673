import { beforeAll, describe, expect, it } from 'vitest'
import { type TestService, useOwnService, useService } from '../support/app.ts'
import { type Answer, Client, type Headings } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { aLogin, refreshCookie } from '../support/session.ts'

const service = useOwnService({ cookieDomain: 'school.example' })
const hostOnly = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const ACCESS = ['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Lax', 'Secure']
const REFRESH = ['HttpOnly', 'Max-Age=2592000', 'Path=/api/v1/auth', 'SameSite=Strict', 'Secure']
const withDomain = (attributes: readonly string[]) => ['Domain=school.example', ...attributes]
const cleared = (attributes: readonly string[]) =>
  attributes.map((one) => (one.startsWith('Max-Age') ? 'Max-Age=0' : one))

async function login(to: TestService): Promise<Answer> {
  const { email } = await aUser(to, school.tenantId)
  return new Client(to).post('/auth/login', { email, password: PASSWORD })
}

describe('login and refresh', () => {
  it('set HttpOnly, Secure cookies: svc_jwt Lax on COOKIE_DOMAIN, svc_refresh Strict on the host (S43)', async () => {
    const loggedIn = await login(service())
    const refresh_token: string = loggedIn.body.refresh_token
    for (const answer of [loggedIn, await new Client(service()).post('/auth/refresh', { refresh_token })]) {
      expect(answer.status).toBe(200)
      expect(cookiesOf(answer)).toEqual({
        svc_jwt: { value: answer.body.token, attributes: withDomain(ACCESS) },
        svc_refresh: { value: answer.body.refresh_token, attributes: REFRESH },
      })
    }
  })

  it('set host-only cookies without COOKIE_DOMAIN', async () => {
    const loggedIn = await login(hostOnly())
    const refresh_token: string = loggedIn.body.refresh_token
    for (const answer of [loggedIn, await new Client(hostOnly()).post('/auth/refresh', { refresh_token })]) {
      expect(cookiesOf(answer)).toEqual({
        svc_jwt: { value: answer.body.token, attributes: ACCESS },
        svc_refresh: { value: answer.body.refresh_token, attributes: REFRESH },
      })
    }
  })

  it('do not take the cookie domain from request headers (S94)', async () => {
    const { email } = await aUser(service(), school.tenantId)
    const headers = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    const answer = await new Client(hostOnly(), headers).post('/auth/login', { email, password: PASSWORD })
    expect(cookiesOf(answer).svc_jwt?.attributes).toEqual(ACCESS)
  })

  it('set cookies of at most 4096 bytes, the browser limit (S43)', async () => {
    for (const line of (await login(service())).headers.getSetCookie()) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4096)
    }
  })
})

describe('logout', () => {
  it('clears both cookies with the attributes that set them (S44)', async () => {
    const { refresh_token } = (await login(service())).body
    const answer = await new Client(service()).post('/auth/logout', { refresh_token })
    expect(answer.status).toBe(204)
    expect(cookiesOf(answer)).toEqual({
      svc_jwt: { value: '', attributes: withDomain(cleared(ACCESS)) },
      svc_refresh: { value: '', attributes: cleared(REFRESH) },
    })
  })

  it('clears host-only cookies without COOKIE_DOMAIN, even for an unknown token', async () => {
    const answer = await new Client(hostOnly()).post('/auth/logout', { refresh_token: 'never seen' })
    expect(answer.status).toBe(204)
    expect(cookiesOf(answer)).toEqual({
      svc_jwt: { value: '', attributes: cleared(ACCESS) },
      svc_refresh: { value: '', attributes: cleared(REFRESH) },
    })
  })
})

describe('the Set-Cookie header', () => {
  const foreign = { origin: 'https://evil.test' }
  const cases: readonly [string, number, string, unknown, Headings][] = [
    ['a refresh with an unknown token', 401, '/auth/refresh', { refresh_token: 'unknown' }, {}],
    ['a refresh without a token', 400, '/auth/refresh', {}, {}],
    ['a refresh without a body', 400, '/auth/refresh', undefined, {}],
    ['a refresh with an unknown cookie', 401, '/auth/refresh', undefined, refreshCookie('unknown')],
    [
      'a refresh from a foreign origin',
      401,
      '/auth/refresh',
      undefined,
      { ...refreshCookie('some'), ...foreign },
    ],
    ['a logout without a token', 400, '/auth/logout', {}, {}],
    ['a logout without a body', 400, '/auth/logout', undefined, {}],
    [
      'a logout from a foreign origin',
      401,
      '/auth/logout',
      undefined,
      { ...refreshCookie('some'), ...foreign },
    ],
    ['a login without a password', 400, '/auth/login', { email: 'a@b.example' }, {}],
    ['a login with a wrong password', 401, '/auth/login', { email: 'a@b.example', password: 'x' }, {}],
    ['a login sent as text/plain', 415, '/auth/login', '{}', { 'content-type': 'text/plain' }],
  ]
  it.each(cases)('is absent after %s (%i)', async (_, status, path, body, headers) => {
    const answer = await new Client(service()).post(path, body, headers)
    expect(answer.status).toBe(status)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('is absent after a refresh that lost the race against another tab (S34)', async () => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    await client.post('/auth/refresh', { refresh_token: refreshToken })
    const late = await client.post('/auth/refresh', undefined, refreshCookie(refreshToken))
    expect(late.status).toBe(401)
    expect(late.headers.getSetCookie()).toEqual([])
  })

  it('is absent from reads, with or without a valid token', async () => {
    for (const headers of [{ cookie: 'other=1' }, { cookie: 'svc_jwt=rubbish' }]) {
      const answer = await new Client(service()).get('/auth/me', headers)
      expect(answer.status).toBe(401)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await school.client.get('/auth/me')).headers.getSetCookie()).toEqual([])
  })
})

type SetCookie = { readonly value: string; readonly attributes: readonly string[] }

/** Returns the cookies of a response by name, with attributes in alphabetical order. Throws if one is set twice. */
function cookiesOf(answer: Answer): Readonly<Record<string, SetCookie>> {
  const cookies: Record<string, SetCookie> = {}
  for (const line of answer.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf('='))
    if (cookies[name]) throw new Error(`${name} is set twice`)
    cookies[name] = { value: pair.slice(name.length + 1), attributes: attributes.sort() }
  }
  return cookies
}

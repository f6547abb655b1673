import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import {
  accessCookie,
  aLogin,
  bearer,
  loginOf,
  refreshCookie,
  setUserDisabled,
  statusWith,
} from '../support/session.ts'

const service = useService()
let replica: TestService
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  replica = await startService(service().db)
})
afterAll(() => replica.close())

describe('GET /auth/me', () => {
  it('returns exactly the fields of the user, with the tenant as an object', async () => {
    const { body, status } = await school.client.get('/auth/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...school.user, name: 'Anna Office', tenant_id: school.tenantId })
    expect(Object.keys(body).sort()).toEqual([
      'created_at',
      'email',
      'id',
      'instructor_id',
      'name',
      'role',
      'tenant',
      'tenant_id',
      'updated_at',
    ])
    expect(body.tenant).toMatchObject({
      id: school.tenantId,
      name: 'Fahrschule Test',
      timezone: 'Europe/Berlin',
      country: 'DE',
      locale: 'de',
      unit_minutes: 45,
    })
  })

  it.each([
    ['the Authorization header', bearer],
    ['the header with a lower-case scheme', (token: string) => ({ authorization: `bearer ${token}` })],
    ['the svc_jwt cookie', accessCookie],
  ])('accepts the token from %s', async (_, headersFor) => {
    const { client, user, token } = await aLogin(service(), school.tenantId)
    const answer = await client.get('/auth/me', headersFor(token))
    expect([answer.status, answer.body.id]).toEqual([200, user.id])
  })

  it('returns 401 with WWW-Authenticate if there is no token', async () => {
    const answer = await new Client(service()).get('/auth/me')
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('a logout', () => {
  it('invalidates the refresh token and the access token immediately (S40, S41)', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    expect(await statusWith(client, token)).toBe(200)
    const answer = await client.post('/auth/logout', { refresh_token: refreshToken })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await statusWith(client, token)).toBe(401)
    expect((await client.get('/auth/me', accessCookie(token))).status).toBe(401)
    expect((await client.get('/students', bearer(token))).status).toBe(401)
    expect((await client.post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(401)
  })

  it('invalidates every access token and refresh token of the session', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const next = (await client.post('/auth/refresh', { refresh_token: refreshToken })).body
    await client.post('/auth/logout', { refresh_token: next.refresh_token })
    expect(await statusWith(client, token)).toBe(401)
    expect(await statusWith(client, next.token)).toBe(401)
    for (const refresh_token of [next.refresh_token, refreshToken]) {
      expect((await client.post('/auth/refresh', { refresh_token })).status).toBe(401)
    }
  })

  it("does not affect the user's other sessions", async () => {
    const { client, user, refreshToken } = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), user)
    await client.post('/auth/logout', { refresh_token: refreshToken })
    expect(await statusWith(other.client, other.token)).toBe(200)
    const refreshed = await other.client.post('/auth/refresh', { refresh_token: other.refreshToken })
    expect(refreshed.status).toBe(200)
  })

  it('accepts the refresh token in the svc_refresh cookie', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    expect((await client.post('/auth/logout', undefined, refreshCookie(refreshToken))).status).toBe(204)
    expect(await statusWith(client, token)).toBe(401)
  })

  it('returns 204 each time it is repeated, whatever the state of the token (S40)', async () => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    const next = (await client.post('/auth/refresh', { refresh_token: refreshToken })).body.refresh_token
    for (const refresh_token of [next, next, refreshToken]) {
      expect((await client.post('/auth/logout', { refresh_token })).status).toBe(204)
    }
  })

  it.each([
    ['rubbish', 'rubbish'],
    ['an empty string', ''],
    ['a NUL', '\0'],
    ['a lone surrogate', '\ud800'],
    ['an SQL fragment', `' or 1=1--`],
    ['an access token', `${'e'.repeat(40)}.${'e'.repeat(200)}.${'e'.repeat(43)}`],
    ['2000 letters', 'x'.repeat(2000)],
  ])('returns 204 for any string: %s', async (_, refresh_token) => {
    expect((await new Client(service()).post('/auth/logout', { refresh_token })).status).toBe(204)
  })

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['a null', { refresh_token: null }],
    ['a number', { refresh_token: 5 }],
    ['an unknown field', { refresh_token: 'x', everywhere: true }],
  ])('returns 400 for %s', async (_, body) => {
    expect((await new Client(service()).post('/auth/logout', body)).status).toBe(400)
  })

  it('rejects GET with 405 and keeps the session (S49)', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await client.get('/auth/logout', refreshCookie(refreshToken))
    expect(answer.status).toBe(405)
    expect(await statusWith(client, token)).toBe(200)
  })
})

describe('a session', () => {
  it('ends when its user is disabled (S22)', async () => {
    const { client, user, token } = await aLogin(service(), school.tenantId)
    await setUserDisabled(service(), school.tenantId, user.id, true)
    expect(await statusWith(client, token)).toBe(401)
  })

  it('ends within 20 seconds in another process that has just accepted its token', async () => {
    const elsewhere = new Client(replica)
    const loggedOut = await aLogin(service(), school.tenantId)
    const disabled = await aLogin(service(), school.tenantId)
    const staying = await aLogin(service(), school.tenantId)
    for (const { token } of [loggedOut, disabled, staying])
      expect(await statusWith(elsewhere, token)).toBe(200)
    await loggedOut.client.post('/auth/logout', { refresh_token: loggedOut.refreshToken })
    await setUserDisabled(service(), school.tenantId, disabled.user.id, true)
    await vi.waitFor(
      async () => {
        expect(await statusWith(elsewhere, loggedOut.token)).toBe(401)
        expect(await statusWith(elsewhere, disabled.token)).toBe(401)
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(await statusWith(elsewhere, staying.token)).toBe(200)
  })
})

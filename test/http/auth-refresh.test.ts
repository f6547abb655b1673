import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { claimsOf } from '../support/jwt.ts'
import {
  accessCookie,
  aLogin,
  bearer,
  refreshCookie,
  setUserDisabled,
  statusWith,
} from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function refresh(refresh_token: string): Promise<Answer> {
  return new Client(service()).post('/auth/refresh', { refresh_token })
}

describe('a refresh', () => {
  it('returns two new tokens of the same session, in the format of a login', async () => {
    const { token, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await refresh(refreshToken)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
      token_type: 'Bearer',
      expires_in: 28_800,
      refresh_expires_in: 2_592_000,
    })
    expect(answer.body.refresh_token).not.toBe(refreshToken)
    const { iat, exp, jti: _jti, ...who } = claimsOf(answer.body.token)
    expect(Number(exp) - Number(iat)).toBe(28_800)
    expect(claimsOf(token)).toMatchObject(who)
  })

  it('returns a different access token even within the same second as the login', async () => {
    service().setClock(new Date(Math.floor(Date.now() / 1000) * 1000))
    const { token, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await refresh(refreshToken)
    service().setClock(undefined)
    expect(claimsOf(answer.body.token).iat).toBe(claimsOf(token).iat)
    expect(answer.body.token).not.toBe(token)
  })

  it('sets iat of the new access token to the time of the refresh', async () => {
    const { refreshToken } = await aLogin(service(), school.tenantId)
    const later = new Date(Date.now() + 7 * 3_600_000)
    service().setClock(later)
    const answer = await refresh(refreshToken)
    service().setClock(undefined)
    expect(claimsOf(answer.body.token).iat).toBe(Math.floor(later.getTime() / 1000))
  })

  it('leaves the old access token valid, and returns a valid new one (S42)', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await refresh(refreshToken)
    expect(await statusWith(client, token)).toBe(200)
    expect(await statusWith(client, answer.body.token)).toBe(200)
  })

  it('invalidates the refresh token (S28)', async () => {
    const { refreshToken } = await aLogin(service(), school.tenantId)
    expect((await refresh(refreshToken)).status).toBe(200)
    const again = await refresh(refreshToken)
    expect([again.status, again.body.code]).toEqual([401, 'invalid_refresh_token'])
    expect(again.headers.has('www-authenticate')).toBe(false)
  })

  it('can be repeated 20 times, each time with 256 new random bits (S36)', async () => {
    const { refreshToken } = await aLogin(service(), school.tenantId)
    const tokens = [refreshToken]
    for (let round = 0; round < 20; round += 1) {
      tokens.push((await refresh(tokens.at(-1) ?? '')).body.refresh_token)
    }
    // The school's id is before the secret, the seal after it.
    const secrets = tokens.map((token) => token.slice(22, -22))
    expect(new Set(secrets).size).toBe(21)
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(new Set(secrets.map((secret) => secret.slice(0, 4))).size).toBeGreaterThan(18)
  })
})

describe('a refresh token', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('is read from the svc_refresh cookie in a request with %s (S39)', async (_, body) => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await client.post('/auth/refresh', body, refreshCookie(refreshToken))
    expect(answer.status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  it('in the body takes precedence over one in the cookie', async () => {
    const inBody = await aLogin(service(), school.tenantId)
    const inCookie = await aLogin(service(), school.tenantId)
    const body = { refresh_token: inBody.refreshToken }
    const answer = await inBody.client.post('/auth/refresh', body, refreshCookie(inCookie.refreshToken))
    expect(claimsOf(answer.body.token).sub).toBe(inBody.user.id)
    expect((await refresh(inCookie.refreshToken)).status).toBe(200)
  })

  it('that is invalid in the body is rejected even with a valid cookie', async () => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await client.post(
      '/auth/refresh',
      { refresh_token: 'rubbish' },
      refreshCookie(refreshToken),
    )
    expect(answer.status).toBe(401)
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it('is rejected if sent in two different cookies, and both tokens stay valid (S46)', async () => {
    const one = await aLogin(service(), school.tenantId)
    const other = await aLogin(service(), school.tenantId)
    const cookie = `svc_refresh=${one.refreshToken}; svc_refresh=${other.refreshToken}`
    expect((await one.client.post('/auth/refresh', undefined, { cookie })).status).toBe(401)
    expect((await refresh(one.refreshToken)).status).toBe(200)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  it.each([
    ['no body', undefined, {}],
    ['an empty object', {}, {}],
    ['an empty cookie', undefined, { cookie: 'svc_refresh=' }],
    ['only an access token', undefined, { cookie: 'svc_jwt=x', authorization: 'Bearer x' }],
    ['null as the token', { refresh_token: null }, {}],
    ['a number as the token', { refresh_token: 5 }, {}],
    ['a list as the token', { refresh_token: ['x'] }, {}],
  ])('is missing or malformed (400) in a request with %s', async (_, body, headers) => {
    const answer = await new Client(service()).post('/auth/refresh', body, headers)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.errors).toMatchObject([{ pointer: '/refresh_token' }])
  })

  it('is not read from the query string or a header, and stays valid (S39)', async () => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    const inQuery = await client.post(`/auth/refresh?refresh_token=${refreshToken}`)
    expect(inQuery.status).toBe(400)
    const inHeader = await client.post('/auth/refresh', undefined, {
      ...bearer(refreshToken),
      refresh_token: refreshToken,
    })
    expect(inHeader.status).toBe(400)
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it('stays valid after a request with an unknown parameter or field', async () => {
    const { client, refreshToken } = await aLogin(service(), school.tenantId)
    const body = { refresh_token: refreshToken }
    expect((await client.post('/auth/refresh?next=/', body)).status).toBe(400)
    expect((await client.post('/auth/refresh', { ...body, scope: 'all' })).status).toBe(400)
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it('and an access token are not interchangeable (S38)', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    expect((await refresh(token)).status).toBe(401)
    expect((await client.get('/auth/me', bearer(refreshToken))).status).toBe(401)
    expect((await client.get('/auth/me', accessCookie(refreshToken))).status).toBe(401)
  })

  it.each([
    ['one letter less', (token: string) => token.slice(0, -1)],
    ['one letter more', (token: string) => `${token}A`],
    ['all letters in upper case', (token: string) => token.toUpperCase()],
    ['padding', (token: string) => `${token}=`],
    ['spaces around it', (token: string) => ` ${token} `],
  ])('with %s is rejected with 401', async (_, change) => {
    const { refreshToken } = await aLogin(service(), school.tenantId)
    expect((await refresh(change(refreshToken))).status).toBe(401)
  })

  it('of a disabled user is rejected with 401', async () => {
    const { user, refreshToken } = await aLogin(service(), school.tenantId)
    await setUserDisabled(service(), school.tenantId, user.id, true)
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  it('expires 30 days after its own issue by the database clock (S35, F21)', async () => {
    const { token, refreshToken } = await aLogin(service(), school.tenantId)
    const ageBy = (interval: string) =>
      sql`update refresh_tokens set created_at = created_at - ${interval}::interval, expires_at = expires_at - ${interval}::interval
        where family_id = ${claimsOf(token).sid} and revoked_at is null`.execute(service().db)
    // In hours, because a day has 23 or 25 of them when the clocks of the database's time zone change.
    await ageBy('720 hours -60 seconds')
    const last = await refresh(refreshToken)
    expect(last.status).toBe(200)
    await ageBy('720 hours -60 seconds')
    await ageBy('61 seconds')
    const late = await refresh(last.body.refresh_token)
    expect([late.status, late.body.code]).toEqual([401, 'invalid_refresh_token'])
  })
})

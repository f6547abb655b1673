import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { claimsOf, headerOf } from '../support/jwt.ts'
import {
  aLogin,
  aUserWithPassword,
  bearer,
  loginOf,
  setUserDisabled,
  statusWith,
} from '../support/session.ts'

const service = useService()
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const EIGHTY_BYTES = `Only the first 72 bytes count with bcrypt, but here each one does: ${'x'.repeat(12)}Y`
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function attempt(email: string, password: string): Promise<Answer> {
  return new Client(service()).post('/auth/login', { email, password })
}

describe('a login', () => {
  it('returns both tokens, their type and their lifetimes in seconds', async () => {
    const answer = await attempt(school.user.email, PASSWORD)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({
      token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
      token_type: 'Bearer',
      expires_in: 28_800,
      refresh_expires_in: 2_592_000,
    })
  })

  it('issues a token with only ids, times, issuer and audience, valid for eight hours (S20, S26)', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { token, user } = await aLogin(service(), school.tenantId)
    const { sub, tid, sid, iat, exp, iss, aud, jti, ...rest } = claimsOf(token)
    expect(headerOf(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect({ sub, tid, rest }).toEqual({ sub: user.id, tid: school.tenantId, rest: {} })
    expect(sid).toMatch(UUID)
    expect(Number(exp) - Number(iat)).toBe(28_800)
    expect(Number(iat)).toBeGreaterThanOrEqual(before)
    expect(Number(iat)).toBeLessThanOrEqual(Date.now() / 1000)
    expect([typeof iss, typeof aud, typeof jti]).toEqual(['string', 'string', 'string'])
  })

  it('trims the e-mail address and ignores its case', async () => {
    expect((await attempt(` \t${school.user.email.toUpperCase()}\n`, PASSWORD)).status).toBe(200)
  })

  it('opens a new session and does not affect earlier ones', async () => {
    const first = await aLogin(service(), school.tenantId)
    const second = await loginOf(service(), first.user)
    expect(claimsOf(first.token).sid).not.toBe(claimsOf(second.token).sid)
    expect(await statusWith(first.client, first.token)).toBe(200)
    expect(await statusWith(second.client, second.token)).toBe(200)
    const refreshed = await first.client.post('/auth/refresh', { refresh_token: first.refreshToken })
    expect(refreshed.status).toBe(200)
  })

  it('ignores invalid tokens sent in headers and cookies', async () => {
    const body = { email: school.user.email, password: PASSWORD }
    const headers = { ...bearer('rubbish'), cookie: 'svc_jwt=old; svc_refresh=old' }
    expect((await new Client(service()).post('/auth/login', body, headers)).status).toBe(200)
  })
})

describe('a rejected login', () => {
  it('gets the same response for an unknown address, a wrong password and a disabled user (S1, S3)', async () => {
    const disabled = await aUser(service(), school.tenantId)
    await setUserDisabled(service(), school.tenantId, disabled.id, true)
    const answers = [
      await attempt('nobody.with.this.name.of.37.chars@school.example', PASSWORD),
      await attempt(school.user.email, `${PASSWORD}!`),
      await attempt(disabled.email, PASSWORD),
      await attempt(disabled.email, `${PASSWORD}!`),
    ]
    const faces = answers.map(({ status, headers, text, body }) => ({
      status,
      names: [...headers.keys()].sort(),
      length: headers.get('content-length'),
      text: text.replace(body.request_id, ''),
    }))
    expect(faces[0]).toMatchObject({ status: 401 })
    for (const face of faces) expect(face).toEqual(faces[0])
    expect(new Set(answers.map(({ body }) => body.request_id)).size).toBe(answers.length)
  })

  it('returns invalid_credentials without Set-Cookie and WWW-Authenticate', async () => {
    const answer = await attempt(school.user.email, 'wrong')
    expect(answer.body.code).toBe('invalid_credentials')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.has('www-authenticate')).toBe(false)
  })

  it('succeeds when repeated after the user is enabled again', async () => {
    const user = await aUser(service(), school.tenantId)
    await setUserDisabled(service(), school.tenantId, user.id, true)
    expect((await attempt(user.email, PASSWORD)).status).toBe(401)
    await setUserDisabled(service(), school.tenantId, user.id, false)
    expect((await attempt(user.email, PASSWORD)).status).toBe(200)
  })
})

describe('password comparison', () => {
  let email: string
  beforeAll(async () => {
    email = (await aUserWithPassword(service(), school.tenantId, EIGHTY_BYTES)).email
  })

  it('accepts the whole password of 80 bytes', async () => {
    expect(Buffer.byteLength(EIGHTY_BYTES)).toBe(80)
    expect((await attempt(email, EIGHTY_BYTES)).status).toBe(200)
  })

  it.each([
    ['its first 72 bytes', EIGHTY_BYTES.slice(0, 72)],
    ['all but the last byte', EIGHTY_BYTES.slice(0, -1)],
    ['a trailing space', `${EIGHTY_BYTES} `],
    ['a leading space', ` ${EIGHTY_BYTES}`],
    ['a change of case', EIGHTY_BYTES.toLowerCase()],
    ['more text after a NUL', `${EIGHTY_BYTES}\0more`],
    ['an empty password', ''],
  ])('rejects %s (S8)', async (_, password) => {
    expect((await attempt(email, password)).status).toBe(401)
  })

  it('covers up to 1024 bytes, and a longer password is rejected with 400 (S8, S9)', async () => {
    const longest = 'é'.repeat(512)
    const user = await aUserWithPassword(service(), school.tenantId, longest)
    expect((await attempt(user.email, longest)).status).toBe(200)
    expect((await attempt(user.email, `${longest.slice(0, -1)}x!`)).status).toBe(401)
    const longer = await attempt(user.email, `${longest}x`)
    expect(longer.status).toBe(400)
    expect(longer.body.errors).toMatchObject([{ pointer: '/password' }])
  })
})

describe('an invalid login request', () => {
  const faulty: readonly [string, unknown, readonly string[]][] = [
    ['an empty object', {}, ['/email', '/password']],
    ['numbers', { email: 5, password: 5 }, ['/email', '/password']],
    ['lists', { email: ['a@b.example'], password: ['x'] }, ['/email', '/password']],
    ['objects', { email: { like: '%' }, password: { not: null } }, ['/email', '/password']],
    ['nulls and booleans', { email: null, password: true }, ['/email', '/password']],
    ['a blank address', { email: '  ', password: 'x' }, ['/email']],
    ['an address of 255 letters', { email: 'e'.repeat(255), password: 'x' }, ['/email']],
    ['a NUL in the address', { email: 'a\0@b.example', password: 'x' }, ['/email']],
    ['a lone surrogate', { email: 'a@b.example', password: '\ud800' }, ['/password']],
    ['an unknown field', { email: 'a@b.example', password: 'x', admin: true }, ['/admin']],
  ]
  it.each(faulty)('gets 400 with a pointer to each fault: %s (S13)', async (_, body, pointers) => {
    const answer = await new Client(service()).post('/auth/login', body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it.each([['[]'], ['"text"'], ['null'], ['5']])('gets 400 for the body %s (S13)', async (body) => {
    const client = new Client(service(), { 'content-type': 'application/json' })
    expect((await client.post('/auth/login', body)).status).toBe(400)
  })

  it('gets 400 malformed_json for a repeated key (S72)', async () => {
    const body = `{"email":"${school.user.email}","password":"x","password":"${PASSWORD}"}`
    const client = new Client(service(), { 'content-type': 'application/json' })
    const answer = await client.post('/auth/login', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json'])
  })

  it('gets 400 for credentials in the query string (S15)', async () => {
    const query = `?email=${school.user.email}&password=${encodeURIComponent(PASSWORD)}`
    const client = new Client(service())
    expect((await client.post(`/auth/login${query}`)).status).toBe(400)
    const answer = await client.post(`/auth/login${query}`, { email: school.user.email, password: PASSWORD })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ pointer: '?email' }, { pointer: '?password' }])
  })

  it('gets 413 for a body above 4 KB', async () => {
    const answer = await attempt(school.user.email, 'x'.repeat(4096))
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
  })
})

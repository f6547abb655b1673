import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { type Answer, anAddress, Client } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { claimsOf } from '../support/jwt.ts'
import { accessCookie, aLogin, aUserWithPassword, bearer, refreshCookie } from '../support/session.ts'
import { hostLine, sendLines } from '../support/wire.ts'

const service = useOwnService({ loginLimits: { perAccountAndAddress: 3, perAccount: 50, perAddress: 100 } })
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function eventsOf(answer: Answer): readonly unknown[] {
  return service()
    .log(answer)
    .map(({ event }) => event)
    .filter((event) => event !== undefined)
}

describe('the log', () => {
  it('contains no password, token, cookie, key or hash, even after failed requests (S96, I14)', async () => {
    const password = 'canary-password-of-a-user'
    const user = await aUserWithPassword(service(), school.tenantId, password)
    const client = new Client(service())
    const json = { 'content-type': 'application/json' }
    const wrong = 'canary-wrong-password'
    await client.post('/auth/login', { email: user.email, password: wrong })
    await client.post('/auth/login', { email: user.email, password: wrong, extra: wrong })
    await client.post('/auth/login', `{"password":"${wrong}"`, json)
    await client.post('/auth/login', JSON.stringify({ password: wrong.repeat(300) }), json)
    await client.post('/auth/login', wrong, { 'content-type': 'text/plain' })
    await client.post(`/auth/login?password=${wrong}`, { email: user.email, password })
    const { token, refresh_token } = (await client.post('/auth/login', { email: user.email, password })).body
    const both = { ...bearer(token), cookie: `svc_jwt=${token}; svc_refresh=${refresh_token}` }
    await client.get('/auth/me', both)
    await client.get(`/students?access_token=${token}`, both)
    await client.get('/nothing', both)
    await client.get(`/auth/me`, bearer(`${token}x`))
    await client.post('/students', { first_name: token }, both)
    await client.post('/auth/password', { current_password: wrong, new_password: `${wrong}-new` }, both)
    await client.post('/auth/password', { current_password: password, new_password: `${wrong}-new` }, both)
    const next = (await client.post('/auth/refresh', { refresh_token })).body
    await sql`update refresh_tokens set revoked_at = revoked_at - interval '1 minute'
      where family_id = ${claimsOf(token).sid} and revoked_at is not null`.execute(service().db)
    await client.post('/auth/refresh', undefined, refreshCookie(refresh_token))
    await client.post('/auth/logout', { refresh_token: next.refresh_token }, accessCookie(next.token))
    await sendLines(service(), ['GET / HTTP/1.1', `Host : x`, `Authorization: Bearer ${token}`])
    const log = JSON.stringify(service().log())
    expect(service().log().length).toBeGreaterThan(15)
    const secrets = [
      password,
      'canary-wrong',
      token,
      refresh_token,
      next.token,
      next.refresh_token,
      JWT_SECRET,
    ]
    for (const secret of secrets) expect(log).not.toContain(secret)
    for (const secret of ['$argon2', 'svc_jwt', 'svc_refresh', 'Bearer', 'canary'])
      expect(log).not.toContain(secret)
  })

  it('has one JSON object per line with a UTC time, whatever a client sends (S97, I14)', async () => {
    const injection = '\n{"level":30,"event":"login_succeeded","account":"forged"}\r\n'
    const client = new Client(service())
    await client.post('/auth/login', { email: `x${injection}@y.example`, password: 'x' })
    await client.get(`//${encodeURIComponent(injection)}`)
    await client.get('/students', { 'user-agent': '{"event":"forged"}', referer: '"}\\n{' })
    await client.get('//%0A%7B%22event%22%3A%22forged%22%7D')
    await sendLines(service(), ['GET /x"}{\\n HTTP/1.1', hostLine(service())])
    for (const line of service().log()) {
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*T.*Z$/) })
      expect([line.event, line.account]).not.toContain('forged')
    }
  })

  it('does not contain query strings', async () => {
    const answers = [
      await school.client.get('/students?cursor=canary-query'),
      await school.client.get('/nothing?canary-query'),
      await new Client(service()).get('//healthz?canary-query'),
      await new Client(service()).get('/bootstrap?canary-query=1'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 200, 401])
    expect(JSON.stringify(service().log())).not.toContain('canary-query')
  })

  it('has a line for each request with user, client address, path and status', async () => {
    const address = anAddress()
    const answer = await school.client.get('/students?limit=1', { 'x-forwarded-for': address })
    const facts = { method: 'GET', path: '/api/v1/students', status: 200, ip: address }
    const who = { tenant_id: school.tenantId, user_id: school.user.id }
    expect(service().log(answer)).toMatchObject([{ ...facts, ...who }])
    const refused = await new Client(service()).get('/students')
    expect(service().log(refused)).toMatchObject([{ path: '/api/v1/students', status: 401 }])
  })
})

describe('exactly one security event (S98)', () => {
  const login = (email: string, password: string, address: string) =>
    new Client(service(), { 'x-forwarded-for': address }).post('/auth/login', { email, password })

  it('is logged for a login', async () => {
    const [{ email }, address] = [await aUser(service(), school.tenantId), anAddress()]
    const answer = await login(email, PASSWORD, address)
    expect(eventsOf(answer)).toEqual(['login_succeeded'])
    const facts = { event: 'login_succeeded', account: email, ip: address, tenant_id: school.tenantId }
    expect(service().log(answer)).toContainEqual(expect.objectContaining({ ...facts, level: 30 }))
  })

  it('is logged for a rejected login, whether or not the account exists', async () => {
    const [{ email }, address] = [await aUser(service(), school.tenantId), anAddress()]
    for (const account of [email, 'nobody.knows.me@school.example']) {
      const answer = await login(account.toUpperCase(), 'wrong', address)
      expect(eventsOf(answer)).toEqual(['invalid_credentials'])
      const facts = { event: 'invalid_credentials', account, ip: address, level: 40 }
      expect(service().log(answer)).toContainEqual(expect.objectContaining(facts))
    }
  })

  it.each([
    ['a password', 'correct-horse-battery'],
    ['a password with an @', 'P@ssw0rd'],
    ['a password with an @ and a dot', '5up3r.s@fe-1.2'],
    ['a password with spaces', 'my dog@home.example'],
    ['a password after the address', 'office@nord.exampleswordfish'],
    ['a password with symbols after the address', 'office@nord.example!Sw0rd.fish'],
    ['a password before the address', 'swordfish!office@nord.example'],
  ])('is logged for a login with %s in the email field, without that text', async (_, typed) => {
    for (let time = 0; time < 4; time += 1) {
      const answer = await login(typed, 'x', '203.0.113.77')
      expect(eventsOf(answer)).toEqual([time < 3 ? 'invalid_credentials' : 'too_many_requests'])
      expect(service().log(answer)).toContainEqual(expect.objectContaining({ level: 40, ip: '203.0.113.77' }))
      expect(JSON.stringify(service().log(answer)).toLowerCase()).not.toContain(typed.toLowerCase())
    }
  })

  it('is logged for a throttled login', async () => {
    const [{ email }, address] = [await aUser(service(), school.tenantId), anAddress()]
    for (let time = 0; time < 3; time += 1) await login(email, 'wrong', address)
    const answer = await login(email, PASSWORD, address)
    expect(answer.status).toBe(429)
    expect(eventsOf(answer)).toEqual(['too_many_requests'])
    const facts = { event: 'too_many_requests', account: email, ip: address, level: 40 }
    expect(service().log(answer)).toContainEqual(expect.objectContaining(facts))
  })

  it('is logged for a changed password and for a wrong current password', async () => {
    const { client, token, user } = await aLogin(service(), school.tenantId)
    const change = (current_password: string) =>
      client.post(
        '/auth/password',
        { current_password, new_password: 'a better horse battery' },
        bearer(token),
      )
    const refused = await change('wrong')
    expect(eventsOf(refused)).toEqual(['invalid_credentials'])
    const changed = await change(PASSWORD)
    expect(eventsOf(changed)).toEqual(['password_changed'])
    expect(service().log(changed)).toContainEqual(expect.objectContaining({ user_id: user.id }))
  })

  it('is logged for a reused refresh token', async () => {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const next = (await client.post('/auth/refresh', { refresh_token: refreshToken })).body.refresh_token
    await client.post('/auth/refresh', { refresh_token: next })
    const answer = await client.post('/auth/refresh', { refresh_token: refreshToken })
    expect(eventsOf(answer)).toEqual(['refresh_token_reused'])
    const facts = { event: 'refresh_token_reused', level: 40, families: [claimsOf(token).sid] }
    expect(service().log(answer)).toContainEqual(expect.objectContaining(facts))
  })

  it('is logged for a logout that ends a session', async () => {
    const { client, user, refreshToken } = await aLogin(service(), school.tenantId)
    const answer = await client.post('/auth/logout', { refresh_token: refreshToken })
    expect(eventsOf(answer)).toEqual(['logged_out'])
    const facts = { event: 'logged_out', level: 30, tenant_id: school.tenantId, user_id: user.id }
    expect(service().log(answer)).toContainEqual(
      expect.objectContaining({ ...facts, ip: client.headers['x-forwarded-for'] }),
    )
    expect(eventsOf(await client.post('/auth/logout', { refresh_token: refreshToken }))).toEqual([])
  })
})

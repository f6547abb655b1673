import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import {
  accessCookie,
  aLogin,
  aUserWithPassword,
  bearer,
  type LoggedIn,
  loginOf,
  statusWith,
} from '../support/session.ts'

const service = useOwnService({ loginLimits: { perAccountAndAddress: 3, perAccount: 50, perAddress: 100 } })
const NEXT = 'a better horse battery'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function change({ client, token }: LoggedIn, from: string, to: string): Promise<Answer> {
  return client.post('/auth/password', { current_password: from, new_password: to }, bearer(token))
}

async function loginStatus(email: string, password: string): Promise<number> {
  return (await new Client(service()).post('/auth/login', { email, password })).status
}

describe('a password change', () => {
  it('makes the new password valid and the old one invalid', async () => {
    const session = await aLogin(service(), school.tenantId)
    const answer = await change(session, PASSWORD, NEXT)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await loginStatus(session.user.email, NEXT)).toBe(200)
    expect(await loginStatus(session.user.email, PASSWORD)).toBe(401)
  })

  it("ends the user's other sessions and keeps the current one", async () => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    const otherUser = await aLogin(service(), school.tenantId)
    for (const { client, token } of [own, other, otherUser]) expect(await statusWith(client, token)).toBe(200)
    expect((await change(own, PASSWORD, NEXT)).status).toBe(204)
    expect(await statusWith(other.client, other.token)).toBe(401)
    expect((await other.client.post('/auth/refresh', { refresh_token: other.refreshToken })).status).toBe(401)
    for (const { client, token, refreshToken } of [own, otherUser]) {
      expect(await statusWith(client, token)).toBe(200)
      expect((await client.post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(200)
    }
  })

  it('stores an argon2id hash with at least the parameters recommended by OWASP (S10)', async () => {
    const session = await aLogin(service(), school.tenantId)
    await change(session, PASSWORD, NEXT)
    const { rows } = await sql<{ password_hash: string }>`
      select password_hash from users where id = ${session.user.id}`.execute(service().db)
    const [, memory, passes] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(rows[0]?.password_hash ?? '') ?? []
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
    expect(Number(passes)).toBeGreaterThanOrEqual(2)
  })

  it('accepts 8 to 1024 bytes, and login compares all of them', async () => {
    const session = await aLogin(service(), school.tenantId)
    const shortest = 'éééé'
    const longest = 'é'.repeat(512)
    expect((await change(session, PASSWORD, shortest)).status).toBe(204)
    expect((await change(session, shortest, longest)).status).toBe(204)
    expect(await loginStatus(session.user.email, longest)).toBe(200)
    expect(await loginStatus(session.user.email, longest.slice(1))).toBe(401)
  })

  it('can replace a stored password that would be rejected as too common today', async () => {
    const user = await aUserWithPassword(service(), school.tenantId, 'password')
    const client = new Client(service())
    const login = await client.post('/auth/login', { email: user.email, password: 'password' })
    expect(login.status).toBe(200)
    const session = { user, client, token: login.body.token, refreshToken: login.body.refresh_token }
    expect((await change(session, 'password', NEXT)).status).toBe(204)
  })

  it('does not trim the new password', async () => {
    const session = await aLogin(service(), school.tenantId)
    expect((await change(session, PASSWORD, `  ${NEXT} `)).status).toBe(204)
    expect(await loginStatus(session.user.email, NEXT)).toBe(401)
    expect(await loginStatus(session.user.email, `  ${NEXT} `)).toBe(200)
  })

  it('accepts the access cookie, but not from a foreign origin', async () => {
    const { client, user, token } = await aLogin(service(), school.tenantId)
    const body = { current_password: PASSWORD, new_password: NEXT }
    const foreign = { ...accessCookie(token), origin: 'https://evil.test' }
    expect((await client.post('/auth/password', body, foreign)).status).toBe(401)
    expect(await loginStatus(user.email, PASSWORD)).toBe(200)
    expect((await client.post('/auth/password', body, accessCookie(token))).status).toBe(204)
  })
})

describe('a rejected password change', () => {
  it.each([
    ['7 bytes', { current_password: PASSWORD, new_password: 'x'.repeat(7) }, ['/new_password']],
    ['1025 bytes', { current_password: PASSWORD, new_password: `${'é'.repeat(512)}x` }, ['/new_password']],
    ['a lone surrogate', { current_password: PASSWORD, new_password: 'xxxxxxxx\ud800' }, ['/new_password']],
    ['no new password', { current_password: PASSWORD }, ['/new_password']],
    ['an empty body', {}, ['/current_password', '/new_password']],
    ['a number', { current_password: PASSWORD, new_password: 12345678 }, ['/new_password']],
    ['an extra user_id', { current_password: PASSWORD, new_password: NEXT, user_id: 'x' }, ['/user_id']],
  ])('returns 400 for %s', async (_, body, pointers) => {
    const { client, user, token } = await aLogin(service(), school.tenantId)
    const answer = await client.post('/auth/password', body, bearer(token))
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers)
    expect(await loginStatus(user.email, PASSWORD)).toBe(200)
  })

  it.each([
    ['a common password', 'password'],
    ['a common password in another case', 'PassWord'],
    ['consecutive digits', '12345678'],
    ['only spaces', ' '.repeat(8)],
    ['a common password with spaces around it', ' password1 '],
    ["the user's e-mail address", (email: string) => email.toUpperCase()],
    ['the local part of the e-mail address', (email: string) => email.split('@')[0] ?? ''],
    ["the school's name", 'fahrschuleTEST'],
  ])('returns 400 for %s, changes nothing and does not count as a failed login', async (_, next) => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    const new_password = typeof next === 'string' ? next : next(own.user.email)
    for (let time = 0; time < 4; time += 1) {
      const answer = await change(own, time === 0 ? PASSWORD : 'wrong', new_password)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([
        {
          pointer: '/new_password',
          code: 'too_common',
          detail: expect.stringMatching(/^new_password is .+\.$/),
        },
      ])
    }
    expect(await statusWith(other.client, other.token)).toBe(200)
    expect(await loginStatus(own.user.email, PASSWORD)).toBe(200)
  })

  it('returns 401 for a wrong current password and ends no session', async () => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    const answer = await change(own, 'wrong', NEXT)
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials'])
    expect(answer.headers.has('www-authenticate')).toBe(false)
    expect(await statusWith(own.client, own.token)).toBe(200)
    expect(await statusWith(other.client, other.token)).toBe(200)
    expect(await loginStatus(own.user.email, PASSWORD)).toBe(200)
  })

  it('returns 401 without a token', async () => {
    const body = { current_password: PASSWORD, new_password: NEXT }
    const answer = await new Client(service()).post('/auth/password', body)
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
  })

  it('returns 429 after 3 wrong current passwords, which count as failed logins', async () => {
    const session = await aLogin(service(), school.tenantId)
    for (let failure = 0; failure < 3; failure += 1) {
      expect((await change(session, 'wrong', NEXT)).status).toBe(401)
    }
    const answer = await change(session, PASSWORD, NEXT)
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const login = { email: session.user.email, password: PASSWORD }
    expect((await session.client.post('/auth/login', login)).status).toBe(429)
  })
})

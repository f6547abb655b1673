import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { changesOfUser } from '../support/changes.ts'
import { aSchool, PASSWORD, type School, type User } from '../support/factory.ts'
import { aLogin, bearer, type LoggedIn, loginOf, statusWith } from '../support/session.ts'

const service = useService()
let replica: TestService
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  replica = await startService(service().db)
})
afterAll(() => replica.close())

type Listed = { id: string; is_current: boolean; browser: string | null; last_used_at: string }

describe("a user's own sessions", () => {
  it('are listed with the current one marked, and without those of other users', async () => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    await aLogin(service(), school.tenantId)
    const [mine, theirs] = [await listed(own), await listed(other)]
    expect(mine.map(({ id }) => id).sort()).toEqual(theirs.map(({ id }) => id).sort())
    expect(mine).toHaveLength(2)
    const current = (list: Listed[]) => list.filter(({ is_current }) => is_current)
    expect([current(mine).length, current(theirs).length]).toEqual([1, 1])
    expect(current(mine)[0]?.id).not.toBe(current(theirs)[0]?.id)
  })

  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox',
      'Windows',
    ],
    ['curl/8.1', null, null],
    ['<b>x</b>/1 y', null, null],
    [`Mozilla/5.0 ${'x'.repeat(9_000)}`, 'Mozilla', null],
  ])(
    'show only the family of the browser and the system, or null if unknown',
    async (userAgent, browser, system) => {
      const { client, user } = await aLogin(service(), school.tenantId)
      const login = { email: user.email, password: PASSWORD }
      const { body } = await client.post('/auth/login', login, { 'user-agent': userAgent })
      const answer = await client.get('/auth/sessions', bearer(body.token))
      const current = answer.body.find(({ is_current }: Listed) => is_current)
      expect(current).toMatchObject({ browser, system })
    },
  )

  it('can be ended one by one, immediately on this replica and soon on others', async () => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    expect(await statusWith(other.client, other.token)).toBe(200)
    expect(await statusOn(replica, other)).toBe(200)
    const id = await idOf(other)
    expect((await own.client.delete(`/auth/sessions/${id}`, bearer(own.token))).status).toBe(204)
    expect(await statusWith(other.client, other.token)).toBe(401)
    const refresh = await other.client.post('/auth/refresh', { refresh_token: other.refreshToken })
    expect(refresh.status).toBe(401)
    await vi.waitUntil(async () => (await statusOn(replica, other)) === 401, {
      timeout: 20_000,
      interval: 100,
    })
    expect(await statusWith(own.client, own.token)).toBe(200)
    expect((await listed(own)).map((one) => one.id)).not.toContain(id)
    expect((await own.client.delete(`/auth/sessions/${id}`, bearer(own.token))).status).toBe(404)
  })

  it('can all be ended except the current one, and the log records the number', async () => {
    const own = await aLogin(service(), school.tenantId)
    const others = [await loginOf(service(), own.user), await loginOf(service(), own.user)]
    for (const { client, token } of others) expect(await statusWith(client, token)).toBe(200)
    expect((await own.client.delete('/auth/sessions', bearer(own.token))).status).toBe(204)
    for (const { client, token } of others) expect(await statusWith(client, token)).toBe(401)
    expect(await statusWith(own.client, own.token)).toBe(200)
    expect(await listed(own)).toHaveLength(1)
    expect((await own.client.delete('/auth/sessions', bearer(own.token))).status).toBe(204)
    expect(await changesOfUser(school.client, own.user.id)).toEqual([[{}, { sessions_ended: 2 }]])
  })

  it('cannot be ended by another user, who gets 404', async () => {
    const own = await aLogin(service(), school.tenantId)
    const colleague = await aLogin(service(), school.tenantId)
    const userOfOtherSchool = await aLogin(service(), (await aSchool(service())).tenantId)
    for (const id of [await idOf(colleague), await idOf(userOfOtherSchool), randomUUID(), 'x']) {
      const answer = await own.client.delete(`/auth/sessions/${id}`, bearer(own.token))
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
    expect(await statusWith(colleague.client, colleague.token)).toBe(200)
    expect(await statusWith(userOfOtherSchool.client, userOfOtherSchool.token)).toBe(200)
  })

  it('show their last use to within ten minutes', async () => {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    const id = await idOf(other)
    await age(own.user, '11 minutes')
    const before = await lastUse(own, id)
    // The use is recorded when the cached session expires and is read again.
    await vi.waitUntil(
      async () => {
        await statusOn(replica, other)
        return (await lastUse(own, id)) !== before
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(Date.parse(await lastUse(own, id)) - Date.parse(before)).toBeGreaterThanOrEqual(11 * 60_000)
    await age(own.user, '9 minutes')
    const noted = await lastUse(own, id)
    expect(await statusOn(await anotherReplica(), other)).toBe(200)
    expect(await lastUse(own, id)).toBe(noted)
  })

  it('are not listed once their refresh token has expired', async () => {
    const own = await aLogin(service(), school.tenantId)
    const id = await idOf(await loginOf(service(), own.user))
    await sql`update refresh_tokens set expires_at = now() where family_id = ${id}`.execute(service().db)
    expect((await listed(own)).map((one) => one.id)).not.toContain(id)
  })
})

const replicas: TestService[] = []
afterAll(() => Promise.all(replicas.map((one) => one.close())))

async function anotherReplica(): Promise<TestService> {
  const one = await startService(service().db)
  replicas.push(one)
  return one
}

async function age(user: User, interval: string): Promise<void> {
  await sql`update token_families set last_used_at = now() - ${interval}::interval
    where user_id = ${user.id}`.execute(service().db)
}

async function lastUse(own: LoggedIn, id: string): Promise<string> {
  return (await listed(own)).find((one) => one.id === id)?.last_used_at ?? ''
}

async function listed({ client, token }: LoggedIn): Promise<Listed[]> {
  const answer = await client.get('/auth/sessions', bearer(token))
  expect(answer.status).toBe(200)
  return answer.body
}

async function idOf(session: LoggedIn): Promise<string> {
  return (await listed(session)).find(({ is_current }) => is_current)?.id ?? ''
}

async function statusOn(where: TestService, { token }: LoggedIn): Promise<number> {
  return (await fetch(`${where.url}/api/v1/auth/me`, { headers: bearer(token) })).status
}

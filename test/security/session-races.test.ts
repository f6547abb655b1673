// @module-tag embedded: the outcome of a race depends on how a database locks

import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { claimsOf } from '../support/jwt.ts'
import { aLogin, bearer, loginOf, statusWith } from '../support/session.ts'

const service = useService()
const CROWD = Array.from({ length: 20 }, (_, index) => index)
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function refresh(refresh_token: string): Promise<Answer> {
  return new Client(service()).post('/auth/refresh', { refresh_token })
}

function login(email: string): Promise<Answer> {
  return new Client(service()).post('/auth/login', { email, password: PASSWORD })
}

async function activeTokens(familyId: unknown): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from refresh_tokens
    where family_id = ${familyId} and revoked_at is null`.execute(service().db)
  return rows[0]?.count ?? 0
}

/** Counts the successors of each token of a session, fewest first. */
async function successorsIn(familyId: unknown): Promise<readonly number[]> {
  const { rows } = await sql<{ count: number }>`select count(next.id)::int as count from refresh_tokens token
    left join refresh_tokens next on next.parent_id = token.id
    where token.family_id = ${familyId} group by token.id order by count`.execute(service().db)
  return rows.map(({ count }) => count)
}

it('exactly one of 20 concurrent refreshes succeeds, and the session stays valid (I9, S33, S34, C18)', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const answers = await Promise.all(CROWD.map(() => refresh(refreshToken)))
    const winners = answers.filter(({ status }) => status === 200)
    const losers = answers.filter(({ status }) => status === 401)
    expect([winners.length, losers.length]).toEqual([1, 19])
    for (const { headers } of losers) expect(headers.getSetCookie()).toEqual([])
    expect(await activeTokens(claimsOf(token).sid)).toBe(1)
    expect(await statusWith(client, token)).toBe(200)
    expect((await refresh(winners[0]?.body.refresh_token)).status).toBe(200)
    expect(await activeTokens(claimsOf(token).sid)).toBe(1)
    expect(await successorsIn(claimsOf(token).sid)).toEqual([0, 1, 1])
  }
})

it('20 concurrent logins of one user all succeed, each with its own session (C21)', async () => {
  const { email } = await aUser(service(), school.tenantId)
  const answers = await Promise.all(CROWD.map(() => login(email)))
  expect(answers.map(({ status }) => status)).toEqual(CROWD.map(() => 200))
  expect(new Set(answers.map(({ body }) => claimsOf(body.token).sid)).size).toBe(20)
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(20)
})

it('a logout concurrent with a refresh leaves no valid token, in either order (C19)', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
    const logout = () => client.post('/auth/logout', { refresh_token: refreshToken })
    const both = round % 2 === 0 ? [logout(), refresh(refreshToken)] : [refresh(refreshToken), logout()]
    const minted = (await Promise.all(both)).find(({ status }) => status === 200)
    expect(await activeTokens(claimsOf(token).sid)).toBe(0)
    expect(await statusWith(client, token)).toBe(401)
    if (minted) {
      expect(await statusWith(client, minted.body.token)).toBe(401)
      expect((await refresh(minted.body.refresh_token)).status).toBe(401)
    }
  }
})

it('reads in progress during a logout do not keep the session alive', async () => {
  const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
  const { resume, isHeldUp } = await holdUp(sql`lock table tenants`)
  const reads = CROWD.slice(0, 4).map(() => statusWith(client, token))
  try {
    await isHeldUp()
    expect((await client.post('/auth/logout', { refresh_token: refreshToken })).status).toBe(204)
  } finally {
    await resume()
  }
  for (const status of await Promise.all(reads)) expect([200, 401]).toContain(status)
  expect(await statusWith(client, token)).toBe(401)
})

it('a password change ends another session even during concurrent refreshes', async () => {
  for (let round = 0; round < 4; round += 1) {
    const own = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), own.user)
    const body = { current_password: PASSWORD, new_password: 'a better horse battery' }
    const change = own.client.post('/auth/password', body, bearer(own.token))
    const newest = await refreshUntil(other.refreshToken, change)
    expect((await change).status).toBe(204)
    expect((await refresh(newest)).status).toBe(401)
    expect(await statusWith(other.client, other.token)).toBe(401)
    expect(await activeTokens(claimsOf(other.token).sid)).toBe(0)
  }
})

it('logins with the old password during a password change create no session that outlives it', async () => {
  const own = await aLogin(service(), school.tenantId)
  const body = { current_password: PASSWORD, new_password: 'a better horse battery' }
  const early = CROWD.slice(0, 6).map(() => login(own.user.email))
  const change = own.client.post('/auth/password', body, bearer(own.token))
  const logins = [...early, ...CROWD.map(() => login(own.user.email))]
  expect((await change).status).toBe(204)
  for (const answer of await Promise.all(logins)) {
    if (answer.status === 200) expect(await statusWith(own.client, answer.body.token)).toBe(401)
    else expect([401, 429]).toContain(answer.status)
  }
})

it('a login that verified the old password before the change creates no session that outlives it', async () => {
  const own = await aLogin(service(), school.tenantId)
  // A login records its network once a day. This one must record it.
  await sql`update login_addresses set last_login_at = now() - interval '2 days'
    where user_id = ${own.user.id}`.execute(service().db)
  const { resume, isHeldUp } = await holdUp(
    sql`select from login_addresses where user_id = ${own.user.id} for update`,
  )
  const late = own.client.post('/auth/login', { email: own.user.email, password: PASSWORD })
  const body = { current_password: PASSWORD, new_password: 'a better horse battery' }
  let change: Promise<Answer>
  try {
    await isHeldUp()
    change = own.client.post('/auth/password', body, bearer(own.token))
    // The change waits for the login, or is done before it.
    await Promise.race([change, isHeldUp(2)])
  } finally {
    await resume()
  }
  expect((await change).status).toBe(204)
  const { status, body: tokens } = await late
  if (status === 200) expect(await statusWith(own.client, tokens.token)).toBe(401)
  else expect(status).toBe(401)
})

/**
 * Takes a lock, so that a request that needs the table waits in the middle of its work until `resume`. The embedded database has
 * one connection, so nothing can wait there and the request simply runs first.
 */
async function holdUp(lock: RawBuilder<unknown>) {
  const { db, kind } = service()
  if (kind === 'embedded')
    return { resume: async () => undefined, isHeldUp: async (_count?: number) => undefined }
  const held = await db.startTransaction().execute()
  await lock.execute(held)
  const waiting = sql`select from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  return {
    resume: () => held.rollback().execute(),
    /** Waits until as many requests wait for a lock. */
    isHeldUp: (count = 1) =>
      vi.waitFor(async () => expect((await waiting.execute(db)).rows.length).toBeGreaterThanOrEqual(count), {
        timeout: 20_000,
      }),
  }
}

/** Refreshes repeatedly until the work is done. Returns the last token. */
async function refreshUntil(token: string, work: Promise<unknown>): Promise<string> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  for (let newest = token; ; ) {
    const answer = await refresh(newest)
    if (answer.status === 200) newest = answer.body.refresh_token
    if (isDone || answer.status !== 200) return newest
  }
}

// @module-tag long: ends a session before each statement of 40 writes; security/session-races.test.ts does so in some

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWNERS_ALONE } from '../security/role-table.ts'
import { openOwnDatabase, startService, type TestService, useService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { GatedPool } from '../support/gated-pool.ts'
import { TestIssuer } from '../support/issuer.ts'
import { operationsOf } from '../support/openapi.ts'
import { OPEN } from '../support/operations.ts'
import { inSession } from '../support/passkeys.ts'
import { loginOf } from '../support/session.ts'
import { type Prepare, type Scene, WRITES } from './session-writes.ts'

// The service under test caches the session for five seconds and is not notified, because another process ends the session.
// Only the request's own transaction can notice the end before it writes.
const elsewhere = useService()
const gated = new GatedPool()
let service: TestService
let school: School
let otherSchool: School
let watcher: pg.Client
let issuer: TestIssuer

beforeAll(async () => {
  issuer = await TestIssuer.start()
  service = await startService(gated.guard(await openOwnDatabase()), {
    webhookAllowedNetworks: ['127.0.0.1'],
  })
  school = await aSchool(elsewhere())
  otherSchool = await aSchool(elsewhere(), { name: 'Fahrschule Nord' })
  watcher = new pg.Client({ connectionString: postgresDatabase().owner })
  await watcher.connect()
})

afterAll(async () => {
  await Promise.all([service.close(), watcher.end(), issuer.close()])
  await service.db.destroy()
})

async function aScene(): Promise<Scene> {
  const one = await aUser(elsewhere(), school.tenantId)
  await aUser(elsewhere(), otherSchool.tenantId, { email: one.email })
  const user = await loginOf(elsewhere(), one)
  const own = inSession(user)
  const client = new Client(service, own.headers)
  return { service, elsewhere: elsewhere(), school, otherSchool, user, own, client, issuer }
}

type Ending = (scene: Scene) => Promise<Answer>

const OWNERS = [
  'inviteUser',
  'changeUser with a role',
  'changeUser that disables',
  'inviteAgain',
  'linkToReset',
  'changeTenant',
  'addWebhook',
]

/** The ways to end the session, and the writes raced with each. */
const ENDINGS: Readonly<Record<string, readonly [Ending, readonly string[]]>> = {
  'is disabled': [
    ({ user }) => school.client.patch(`/users/${user.user.id}`, { disabled: true }),
    Object.keys(WRITES),
  ],
  'logs out': [
    ({ user }) => new Client(elsewhere()).post('/auth/logout', { refresh_token: user.refreshToken }),
    ['addPasskey', 'endSession', 'makeCalendarFeed', 'switchSchool'],
  ],
  'becomes a clerk': [
    ({ user }) => school.client.patch(`/users/${user.user.id}`, { role: 'office' }),
    OWNERS,
  ],
}

/** Returns everything that a write can leave behind, except counters of failures. */
async function stateOf(): Promise<string> {
  const { tenantId } = school
  const users = sql`(select id from users where tenant_id in (${tenantId}, ${otherSchool.tenantId}))`
  const { rows } = await sql`select
      (select md5(array_agg(one::text order by id)::text) from changes one where tenant_id = ${tenantId}) as changes,
      (select array_agg(one::text order by id) from users one where tenant_id = ${tenantId}) as users,
      (select array_agg(one::text order by id) from passkeys one where user_id in ${users}) as passkeys,
      (select array_agg(one::text order by code_hash) from recovery_codes one where user_id in ${users}) as codes,
      (select array_agg(one::text order by user_id) from totp_secrets one where user_id in ${users}) as totp,
      (select array_agg(one::text order by user_id) from identities one where user_id in ${users}) as identities,
      (select one::text from identity_providers one where tenant_id = ${tenantId}) as provider,
      (select array_agg(one::text order by user_id, kind) from password_links one where user_id in ${users}) as links,
      (select array_agg(id || coalesce(revoked_at, proved_at)::text order by id) from token_families one
        where user_id in ${users}) as families,
      (select array_agg(one::text order by id) from links one where tenant_id = ${tenantId}) as feeds,
      (select array_agg(one::text order by id) from students one where tenant_id = ${tenantId}) as students,
      (select array_agg(one::text order by id) from webhooks one where tenant_id = ${tenantId}) as webhooks,
      (select one::text from tenants one where id = ${tenantId}) as tenant`.execute(elsewhere().db)
  return JSON.stringify(rows)
}

/** Whether a query waits for a lock of the request. */
async function isWaiting(): Promise<boolean> {
  const waiting = 'select from pg_stat_activity where pg_blocking_pids(pid) && $1::integer[]'
  return (await watcher.query(waiting, [gated.processes])).rowCount !== 0
}

type Outcome = { readonly reached: boolean; readonly wasFirst: boolean }

/** Ends the session before the request sends that statement. Returns whether the end was first. */
async function race(prepare: Prepare, ending: Ending, number: number): Promise<Outcome> {
  const scene = await aScene()
  const send = await prepare(scene)
  must(200, await scene.client.get('/auth/me'))
  gated.closeBefore(number)
  const writing = send()
  const reached = await Promise.race([gated.reached.then(() => true), writing.then(() => false)])
  if (!reached) {
    gated.open()
    expect((await writing).status).toBeLessThan(300)
    return { reached, wasFirst: false }
  }
  let isOver = false
  const end = ending(scene).finally(() => {
    isOver = true
  })
  while (!isOver && !(await isWaiting())) await setTimeout(2)
  const wasFirst = isOver
  const state = wasFirst ? await stateOf() : ''
  gated.open()
  const [{ status }, ended] = await Promise.all([writing, end])
  expect(ended.status).toBeLessThan(300)
  if (!wasFirst) expect(status).toBeLessThan(300)
  else {
    // A request that had committed before the end may still succeed.
    expect(await stateOf()).toBe(state)
    if (status >= 300) expect([401, 403]).toContain(status)
  }
  return { reached, wasFirst }
}

it('the races cover every write operation on users, logins, links and settings', () => {
  const isOwn = ({ method, path }: { method: string; path: string }) =>
    /^\/auth\/|-imports$|calendar-feed$|\/link$|^\/offers|\/undo$/.test(path) &&
    !OPEN.includes(`${method} ${path}`)
  const wanted = operationsOf(service).filter(
    ({ method, path, operation: { operationId } }) =>
      method !== 'GET' &&
      !operationId.endsWith('Options') &&
      !['offerPasskey', 'offerTotp', 'beginIdentity'].includes(operationId) &&
      (OWNERS_ALONE.includes(operationId) || isOwn({ method, path })),
  )
  const raced = new Set(Object.keys(WRITES).map((write) => write.split(' ')[0]))
  expect([...raced].sort()).toEqual(wanted.map(({ operation }) => operation.operationId).sort())
})

it.each(
  Object.entries(ENDINGS).flatMap(([ending, [, writes]]) => writes.map((write) => [write, ending] as const)),
)('%s writes nothing if its user %s before any of its statements (S22)', async (write, ending) => {
  const prepare = WRITES[write]
  const [end] = ENDINGS[ending] ?? []
  if (!prepare || !end) throw new Error(`unknown: ${write}, ${ending}`)
  const outcomes: Outcome[] = []
  for (let number = 1; outcomes.at(-1)?.reached !== false; number += 1) {
    outcomes.push(await race(prepare, end, number))
  }
  expect(outcomes.some(({ reached, wasFirst }) => reached && wasFirst)).toBe(true)
})

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOwnDatabase, startService, type TestService, useService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import { type Answer, Client } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { GatedPool } from '../support/gated-pool.ts'
import { aPasskey, inSession, must, originOf } from '../support/passkeys.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'

// The service that is asked hears of nothing: what it remembers of the session stays good for five seconds. What ends the session
// is asked of another process. So the only thing between a request and what it writes is what the transaction finds.
const elsewhere = useService()
const gated = new GatedPool()
let service: TestService
let school: School
let watcher: pg.Client

beforeAll(async () => {
  service = await startService(gated.guard(await openOwnDatabase()))
  school = await aSchool(elsewhere())
  watcher = new pg.Client({ connectionString: postgresDatabase().owner })
  await watcher.connect()
})

afterAll(async () => {
  await Promise.all([service.close(), watcher.end()])
  await service.db.destroy()
})

/** An owner in a session of the service that hears of nothing, and beside it what only the test needs. */
type Scene = {
  readonly user: LoggedIn
  readonly client: Client
  /** The same session in the process that ends it. */
  readonly own: Client
}

async function aScene(): Promise<Scene> {
  const user = await loginOf(elsewhere(), await aUser(elsewhere(), school.tenantId))
  const own = inSession(user)
  return { user, own, client: new Client(service, own.headers) }
}

type Send = () => Promise<Answer>

/** Prepares a write and returns what sends it: every write of accounts, roles, proofs, links and settings that needs a session. */
const WRITES: Readonly<Record<string, (scene: Scene) => Promise<Send>>> = {
  'invites an owner': async ({ client }) => {
    const email = `${crypto.randomUUID()}@school.example`
    return () => client.post('/users', { email, name: 'Eve', role: 'owner' })
  },
  'changes a role': async ({ client }) => {
    const { id } = await aUser(elsewhere(), school.tenantId, { role: 'office' })
    return () => client.patch(`/users/${id}`, { role: 'owner' })
  },
  'disables a user': async ({ client }) => {
    const { id } = await aUser(elsewhere(), school.tenantId, { role: 'office' })
    return () => client.patch(`/users/${id}`, { disabled: true })
  },
  'invites again': async ({ client }) => {
    const invited = { email: `${crypto.randomUUID()}@school.example`, name: 'Ida', role: 'office' }
    const { user } = must(201, await school.client.post('/users', invited))
    return () => client.post(`/users/${user.id}/invitation`)
  },
  'corrects an invited address': async ({ client }) => {
    const invited = { email: `${crypto.randomUUID()}@school.example`, name: 'Ida', role: 'office' }
    const { user } = must(201, await school.client.post('/users', invited))
    return () => client.post(`/users/${user.id}/invitation`, { email: `x${invited.email}` })
  },
  'changes an address': async ({ client }) => {
    const { id } = await aUser(elsewhere(), school.tenantId, { role: 'office' })
    return () => client.post(`/users/${id}/email-change`, { email: `${crypto.randomUUID()}@school.example` })
  },
  'makes a link to reset': async ({ client }) => {
    const { id } = await aUser(elsewhere(), school.tenantId, { role: 'office' })
    return () => client.post(`/users/${id}/password-reset`)
  },
  'changes the settings': async ({ client }) => {
    const phone = crypto.randomUUID().slice(0, 8)
    return () => client.patch('/tenant', { phone })
  },
  'changes a lesson type': async ({ client }) => {
    const name = crypto.randomUUID().slice(0, 8)
    return () => client.patch(`/lesson-types/${school.lessonTypes.RURAL}`, { name })
  },
  'changes the password':
    async ({ client }) =>
    () =>
      client.post('/auth/password', { current_password: PASSWORD, new_password: 'a better horse battery' }),
  'adds a passkey': async ({ client, own }) => {
    const device = new Authenticator(originOf(service))
    const credential = device.register(must(200, await own.post('/auth/passkeys/options')))
    return () => client.post('/auth/passkeys', { name: 'Thief', credential })
  },
  'renames a passkey': async ({ client, user }) => {
    const { id } = await aPasskey(elsewhere(), user)
    return () => client.patch(`/auth/passkeys/${id}`, { name: 'Mine' })
  },
  'removes a passkey': async ({ client, user }) => {
    const { id } = await aPasskey(elsewhere(), user)
    return () => client.delete(`/auth/passkeys/${id}`)
  },
  'asks for a second factor': async ({ client, user }) => {
    await aPasskey(elsewhere(), user)
    return () => client.patch('/auth/second-factor', { enabled: true })
  },
  'makes recovery codes':
    async ({ client }) =>
    () =>
      client.post('/auth/recovery-codes'),
  'proves who is there':
    async ({ client }) =>
    () =>
      client.post('/auth/proof', { password: PASSWORD }),
  'ends another session': async ({ client, user }) => {
    const another = inSession(await loginOf(elsewhere(), user.user))
    const sessions: { id: string; is_current: boolean }[] = (await another.get('/auth/sessions')).body
    const id = sessions.find(({ is_current }) => is_current)?.id
    return () => client.delete(`/auth/sessions/${id}`)
  },
  'makes a feed': async ({ client }) => {
    const { id } = await school.instructor()
    return () => client.post(`/instructors/${id}/calendar-feed`, { detail: 'full' })
  },
  'makes a student’s link': async ({ client }) => {
    const { id } = await school.student()
    return () => client.post(`/students/${id}/link`)
  },
  'undoes a set': async ({ client }) => {
    const { id } = await school.student()
    const set = (await client.delete(`/students/${id}`)).headers.get('x-request-id')
    return () => client.post(`/changes/sets/${set}/undo`)
  },
  'imports students': async ({ client }) => {
    const file = Buffer.from(`first_name,last_name\nMia,${crypto.randomUUID()}\n`).toString('base64')
    return () => client.post('/student-imports', { file })
  },
}

type Ending = (scene: Scene) => Promise<Answer>

const OWNERS = [
  'invites an owner',
  'changes a role',
  'disables a user',
  'invites again',
  'makes a link to reset',
  'changes the settings',
]

/** The ways to end the session, and the writes raced with each. */
const ENDINGS: Readonly<Record<string, readonly [Ending, readonly string[]]>> = {
  'is disabled': [
    ({ user }) => school.client.patch(`/users/${user.user.id}`, { disabled: true }),
    Object.keys(WRITES),
  ],
  'logs out': [
    ({ user }) => new Client(elsewhere()).post('/auth/logout', { refresh_token: user.refreshToken }),
    ['adds a passkey', 'ends another session', 'makes a feed'],
  ],
  'becomes a clerk': [
    ({ user }) => school.client.patch(`/users/${user.user.id}`, { role: 'office' }),
    OWNERS,
  ],
}

/** Returns everything that a write can leave behind, except counters of failures. */
async function stateOf(): Promise<string> {
  const { tenantId } = school
  const users = sql`(select id from users where tenant_id = ${tenantId})`
  const { rows } = await sql`select
      (select array_agg(one::text order by id) from changes one where tenant_id = ${tenantId}) as changes,
      (select array_agg(one::text order by id) from users one where tenant_id = ${tenantId}) as users,
      (select array_agg(one::text order by id) from passkeys one where user_id in ${users}) as passkeys,
      (select array_agg(one::text order by code_hash) from recovery_codes one where user_id in ${users}) as codes,
      (select array_agg(one::text order by user_id, kind) from password_links one where user_id in ${users}) as links,
      (select array_agg(id || coalesce(revoked_at, proved_at)::text order by id) from token_families one
        where user_id in ${users}) as families,
      (select array_agg(one::text order by id) from links one where tenant_id = ${tenantId}) as feeds,
      (select array_agg(one::text order by id) from students one where tenant_id = ${tenantId}) as students,
      (select one::text from tenants one where id = ${tenantId}) as tenant`.execute(elsewhere().db)
  return JSON.stringify(rows)
}

/** Whether something waits for a lock of the request. */
async function isWaiting(): Promise<boolean> {
  const waiting = 'select from pg_stat_activity where pg_blocking_pids(pid) && $1::integer[]'
  return (await watcher.query(waiting, [gated.processes])).rowCount !== 0
}

type Outcome = { readonly reached: boolean; readonly wasFirst: boolean }

/** Ends the session before the request's statement of that number is sent, and tells which of the two was first. */
async function race(
  prepare: (scene: Scene) => Promise<Send>,
  ending: Ending,
  number: number,
): Promise<Outcome> {
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
  while (!isOver && !(await isWaiting()));
  const wasFirst = isOver
  const state = wasFirst ? await stateOf() : ''
  gated.open()
  const [{ status }, ended] = await Promise.all([writing, end])
  expect(ended.status).toBeLessThan(300)
  if (!wasFirst) expect(status).toBeLessThan(300)
  else {
    // Also a request that had written everything before: then it is told so.
    expect(await stateOf()).toBe(state)
    if (status >= 300) expect([401, 403]).toContain(status)
  }
  return { reached, wasFirst }
}

it.each(
  Object.entries(ENDINGS).flatMap(([ending, [, writes]]) => writes.map((write) => [write, ending] as const)),
)(
  'a request that %s writes nothing once its user %s, at whichever statement that is (S22)',
  async (write, ending) => {
    const prepare = WRITES[write]
    const [end] = ENDINGS[ending] ?? []
    if (!prepare || !end) throw new Error(`unknown: ${write}, ${ending}`)
    const outcomes: Outcome[] = []
    for (let number = 1; outcomes.at(-1)?.reached !== false; number += 1) {
      outcomes.push(await race(prepare, end, number))
    }
    expect(outcomes.some(({ reached, wasFirst }) => reached && wasFirst)).toBe(true)
  },
)

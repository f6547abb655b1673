import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Client, statusOf } from '../support/client.ts'
import { enter, PASSWORD, type School } from '../support/factory.ts'
import { type Program, until } from '../support/process.ts'
import { execute, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'
import { TcpProxy } from './tcp-proxy.ts'

const database = useFreshDatabase()
const sandbox = useSandbox()

/** One service for the whole file: it must survive whatever happens to its database. */
let service: Program
let url = ''
let school: School
let api: Client
let network: TcpProxy

beforeAll(async () => {
  const { app, owner } = database()
  network = await TcpProxy.to(app)
  ;({ service, url } = await sandbox.serve({ DATABASE_URL: network.url, MIGRATION_DATABASE_URL: owner }))
  const environment = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
  school = await enter({ url }, await makeSchool(sandbox, environment))
  api = school.client
  return () => network.close()
})

afterEach(async () => {
  await network.restore()
  expect(service.isRunning).toBe(true)
})

describe('while the database is unreachable', () => {
  it('the service is alive but not ready, returns 503, and recovers afterwards (S100, F5)', async () => {
    await network.cut()
    expect(await statusOf(url, '/healthz')).toBe(200)
    expect(await statusOf(url, '/readyz')).toBe(503)
    expectUnavailable(await api.get('/students'))
    expectUnavailable(await api.post('/students', { first_name: 'Lena', last_name: 'Vogt' }))
    expectUnavailable(await logIn())
    expectUnavailable(await api.get('/bootstrap'))

    await network.restore()
    await until(async () => (await statusOf(url, '/readyz')) === 200, 5000)
    const { status } = await api.post('/students', { first_name: 'Lena', last_name: 'Vogt' })
    expect(status).toBe(201)
    expect((await api.get('/students')).body).toHaveLength(1)
    expect((await logIn()).status).toBe(200)
  })

  it('100 concurrent requests all get 503', async () => {
    await network.cut()
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.get('/instructors')))
    for (const answer of answers) expectUnavailable(answer)
    expect(await statusOf(url, '/healthz')).toBe(200)
  })
})

it('a frozen database does not hang probes or requests, which succeed once it continues (F7)', async () => {
  await api.get('/students')
  expect(network.connections).toBeGreaterThan(0)
  network.freeze()
  const [health, readiness, ...answers] = await Promise.all([
    statusOf(url, '/healthz'),
    statusOf(url, '/readyz'),
    ...Array.from({ length: 20 }, () => api.get('/appointments')),
  ])
  expect([health, readiness]).toEqual([200, 503])
  for (const answer of answers) expectUnavailable(answer)
  await network.restore()
  await until(async () => (await statusOf(url, '/readyz')) === 200, 10_000)
  expect((await api.get('/appointments')).status).toBe(200)
})

it('a read-only database makes writes and /readyz return 503, while reads are served (F5)', async () => {
  const { body: tokens } = await logIn()
  const { id: instructor_id } = await school.instructor()
  await makeReadOnly(true)
  expect(await statusOf(url, '/healthz')).toBe(200)
  expect(await statusOf(url, '/readyz')).toBe(503)
  expect((await api.get('/students')).status).toBe(200)
  const times = { start_at: '2031-03-03 08:00', end_at: '2031-03-03 08:45' }
  expectUnavailable(await school.book({ instructor_id, ...times }))
  expectUnavailable(await api.post('/students', { first_name: 'Lena', last_name: 'Vogt' }))
  expectUnavailable(await logIn())
  expectUnavailable(await api.post('/auth/refresh', { refresh_token: tokens.refresh_token }))

  await makeReadOnly(false)
  expect(await statusOf(url, '/readyz')).toBe(200)
  const { status } = await api.post('/auth/refresh', { refresh_token: tokens.refresh_token })
  expect(status).toBe(200)
})

it('writes recover under load on connections opened while the database was read-only (F5)', async () => {
  const enrolAtOnce = () =>
    Promise.all(
      Array.from({ length: 16 }, () => api.post('/students', { first_name: 'Lena', last_name: 'Vogt' })),
    )
  await setReadOnly(true)
  await terminateIdleConnections()
  for (const answer of await enrolAtOnce()) expectUnavailable(answer)

  await setReadOnly(false)
  let rounds = 0
  await until(async () => {
    rounds += 1
    return (await enrolAtOnce()).every(({ status }) => status === 201)
  })
  // Each connection is closed at its first refusal, and the first round may use all of them.
  expect(rounds).toBeLessThanOrEqual(3)
  expect(await statusOf(url, '/readyz')).toBe(200)
})

it('/readyz recovers under reads on connections opened while the database was read-only (F5)', async () => {
  const readAtOnce = () => Promise.all(Array.from({ length: 24 }, () => api.get('/students')))
  await setReadOnly(true)
  await terminateIdleConnections()
  await readAtOnce()
  expect(await statusOf(url, '/readyz')).toBe(503)

  await setReadOnly(false)
  await until(async () => {
    const [reads, ...probes] = await Promise.all([
      readAtOnce(),
      ...Array.from({ length: 24 }, () => statusOf(url, '/readyz')),
    ])
    return reads.every(({ status }) => status === 200) && probes.every((status) => status === 200)
  })
})

describe('connections terminated by the database', () => {
  it('are logged and cause no failed request if they were idle', async () => {
    await Promise.all(Array.from({ length: 10 }, () => api.get('/students')))
    expect(await terminateIdleConnections()).toBeGreaterThan(1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.get('/students')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  it('under load cause no error other than 503 and lose no confirmed booking (F6, I11)', async () => {
    const instructors = await Promise.all(Array.from({ length: 6 }, () => school.instructor()))
    const confirmed: string[] = []
    let isLoading = true
    const book = async (instructor_id: string) => {
      for (let day = 1; day <= 28; day += 1) {
        const date = `2031-02-${String(day).padStart(2, '0')}`
        const answer = await school.book({
          instructor_id,
          start_at: `${date} 08:00`,
          end_at: `${date} 08:45`,
        })
        if (answer.status === 201) confirmed.push(answer.body.id)
        else expectUnavailable(answer)
      }
    }
    const disturb = async () => {
      while (isLoading) await terminateAll()
    }
    const disturbance = disturb()
    await Promise.all(instructors.map(({ id }) => book(id))).finally(() => {
      isLoading = false
    })
    await disturbance
    await until(async () => (await statusOf(url, '/readyz')) === 200, 5000)
    const stored = new Set((await api.get('/appointments')).body.map(({ id }: { id: string }) => id))
    expect(confirmed.filter((id) => !stored.has(id))).toEqual([])
  })
})

it('the log contains no secrets of the database or of users (S96)', () => {
  const { password } = new URL(database().app)
  for (const secret of [password, PASSWORD, 'secretKey']) expect(service.said).not.toContain(secret)
})

/** Makes the database read-only for the service, as a standby is, or writable again, and replaces all connections. */
async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  await setReadOnly(isReadOnly)
  await terminateIdleConnections()
}

/** Makes new connections of the service read-only or writable. Existing ones do not change. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const { app, owner } = database()
  const { username, pathname } = new URL(app)
  await execute(
    owner,
    `alter role ${username} in database ${pathname.slice(1)} set default_transaction_read_only = ${isReadOnly}`,
  )
}

/** Ends the service's connections and waits until it has noticed the loss of idle ones. Returns the number of these. */
async function terminateIdleConnections(): Promise<number> {
  const losses = () => service.said.split('"event":"database_connection_lost"').length - 1
  const before = losses()
  // A connection that a dispatcher is using fails its query instead.
  const idle = (await terminateAll()).filter(({ state }) => state === 'idle').length
  await until(async () => losses() >= before + idle)
  return idle
}

/** Ends all of the service's connections. Returns their states before. */
async function terminateAll(): Promise<readonly { readonly state: string }[]> {
  return execute(
    database().owner,
    `select state, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'fahrplan'`,
  )
}

function logIn(): Promise<Answer> {
  return new Client({ url }).post('/auth/login', { email: school.user.email, password: PASSWORD })
}

function expectUnavailable({ status, headers, text, body }: Answer): void {
  expect({ status, text }).toMatchObject({ status: 503 })
  expect(body).toMatchObject({ status: 503, code: 'unavailable', request_id: headers.get('x-request-id') })
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
}

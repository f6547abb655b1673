import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Client, statusOf } from '../support/client.ts'
import { enter } from '../support/factory.ts'
import { complaintsOf, freePort, isListening, JWT_SECRET, once } from '../support/process.ts'
import { execute, onPostgres, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const database = useFreshDatabase()
const sandbox = useSandbox()
/** The setup link. Its reader can set up the school, so it is not written to the log. */
const SETUP_LINK = /http:\S+\/setup#[\w-]{43}/
const NO_SCHOOL_YET = /There is no driving school yet.*tenant create --name/

describe.concurrent('the configuration', () => {
  it('is rejected before listening, with every invalid setting named and no value shown', {
    tags: 'promise',
  }, async () => {
    const port = await freePort()
    const faulty = {
      JWT_SECRET: 'canary-too-short',
      DATABASE_URL: 'postgres://app:canary-password@127.0.0.1:canary/fahrplan',
      MIGRATION_DATABASE_URL: 'mysql://owner:canary-password@127.0.0.1/fahrplan',
      DATABASE_NAMED_STATEMENTS: 'canary',
      PUBLIC_URL: 'ftp://canary.example',
      COOKIE_DOMAIN: '.canary.example',
      CORS_ORIGINS: 'https://good.example,https://canary.example/path',
      TRUST_PROXY: '10.0.0.0/8,canary',
      METRICS_PORT: '65536',
      SMTP_URL: 'smtp://user@canary.example/',
      MAIL_FROM: 'canary <canary>',
      LOG_LEVEL: 'canary',
      LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS: '0',
      LOGIN_FAILURES_PER_ACCOUNT: 'canary',
      LOGIN_FAILURES_PER_ADDRESS: '-1',
    }
    const service = sandbox.start(['serve'], { ...faulty, PORT: `${port}x` })
    let hasListened = false
    while (service.isRunning) hasListened ||= await isListening(port)
    const exit = await service.exited
    expect(exit).toMatchObject({ code: 1, out: '' })
    for (const name of [...Object.keys(faulty), 'PORT'])
      expect(service.said).toMatch(new RegExp(`^ *${name} `, 'm'))
    expect(service.said).not.toMatch(/canary/)
    expect(hasListened).toBe(false)
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['well known', 'changeme'],
    ['31 bytes long', 'x'.repeat(31)],
  ])('is rejected with a JWT_SECRET that is %s (S23)', async (_, secret) => {
    const port = await freePort()
    const environment = {
      ...onPostgres(),
      PORT: String(port),
      ...(secret === undefined ? {} : { JWT_SECRET: secret }),
    }
    const exit = await sandbox.run(['serve'], environment)
    expect(exit).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/JWT_SECRET.* at least 32 bytes/),
    })
    if (secret) expect(exit.err).not.toContain(secret)
  })

  it('is accepted with a JWT_SECRET of 32 bytes in 16 characters', async () => {
    const { service } = await sandbox.serve({ ...onPostgres(), JWT_SECRET: 'ä'.repeat(16) })
    expect((await service.stop()).code).toBe(0)
  })
})

describe.concurrent('a service whose port is taken', () => {
  it('exits with 1 and names the port', async () => {
    const { service: first, url } = await running()
    const { port } = new URL(url)
    const second = sandbox.start(['serve'], { ...onPostgres(), JWT_SECRET, PORT: port })
    const exit = await second.exited
    expect(exit).toMatchObject({ code: 1, err: expect.stringMatching(new RegExp(`\\b${port}\\b`)) })
    expect(first.isRunning).toBe(true)
  })

  it('exits with 1 and names the port if METRICS_PORT is taken', async () => {
    const { port } = new URL((await running()).url)
    const second = sandbox.start(['serve'], { ...onPostgres(), JWT_SECRET, PORT: '0', METRICS_PORT: port })
    const exit = await second.exited
    expect(exit).toMatchObject({ code: 1, err: expect.stringMatching(new RegExp(`\\b${port}\\b`)) })
  })
})

it('a service without a reachable database exits with 1 and one line without the password', async () => {
  const DATABASE_URL = `postgres://app:canary-password@127.0.0.1:${await freePort()}/fahrplan`
  const second = sandbox.start(['serve'], { DATABASE_URL, JWT_SECRET, PORT: '0' })
  const exit = await second.exited
  expect(complaintsOf(exit)).toEqual([expect.stringContaining('127.0.0.1')])
  expect(exit.code).toBe(1)
  expect(second.said).not.toContain('canary')
})

describe('services on a new PostgreSQL database', () => {
  it('start concurrently, migrate it once, and print one setup link, with no default user (S12)', {
    tags: 'promise',
  }, async () => {
    const environment = { DATABASE_URL: database().app, MIGRATION_DATABASE_URL: database().owner }
    const services = await Promise.all(Array.from({ length: 3 }, () => sandbox.serve(environment)))
    const logs = await Promise.all(
      services.map(async ({ service }) => (await service.says(NO_SCHOOL_YET)).input),
    )
    expect(logs.filter((log) => log.includes('"msg":"migrated"'))).toHaveLength(1)
    const links = await Promise.all(
      services.map(async ({ service, url }) => (await service.says(SETUP_LINK))[0].replace(url, '')),
    )
    expect([new Set(links).size, links[0]]).toEqual([1, expect.stringMatching(/^\/setup#/)])
    expect(services.map(({ service }) => SETUP_LINK.test(service.out))).toEqual([false, false, false])
    expect(await Promise.all(services.map(({ url }) => statusOf(url, '/readyz')))).toEqual([200, 200, 200])

    expect(await execute(database().owner, 'select id from users')).toEqual([])
    const [{ url } = { url: '' }] = services
    for (const [email, password] of [
      ['admin', 'admin'],
      ['admin@example.com', 'password'],
      ['office@demo.example', 'password'],
    ] as const) {
      const { status } = await new Client({ url }).post('/auth/login', { email, password })
      expect(status).not.toBe(200)
    }
    const school = await makeSchool(sandbox, environment)
    for (const { url: each } of services) await enter({ url: each }, school)

    const { service } = await sandbox.serve(environment)
    expect((await service.stop()).out).not.toMatch(NO_SCHOOL_YET)
  })

  it('run with a role that owns nothing and may not change the schema (S103)', {
    tags: 'promise',
  }, async () => {
    const [role] = await execute(
      database().app,
      `select rolsuper, rolbypassrls, rolcreaterole, (select count(*)::int from pg_class where relowner = pg_roles.oid)
        as owned from pg_roles where rolname = current_user`,
    )
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, owned: 0 })
    for (const statement of [
      'create table mine ()',
      'alter table users add column extra text',
      'drop table users',
    ]) {
      await expect(execute(database().app, statement)).rejects.toThrow(/permission denied|must be owner/)
    }
  })
})

describe('a running service', { tags: 'promise' }, () => {
  it('returns 200 for /healthz and /readyz, and sends no Server or X-Powered-By header', async () => {
    const { url } = await running()
    for (const page of ['/healthz', '/readyz', '/api/v1/students', '/nowhere']) {
      const { headers } = await fetch(`${url}${page}`)
      expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null])
    }
    expect([await statusOf(url, '/healthz'), await statusOf(url, '/readyz')]).toEqual([200, 200])
  })

  it('does not serve /metrics by default (S105)', async () => {
    expect(await statusOf((await running()).url, '/metrics')).toBe(404)
  })

  it('serves metrics on a separate port that only 127.0.0.1 can reach (S105)', async () => {
    const port = await freePort()
    const environment = { ...onPostgres(), HOST: '0.0.0.0', METRICS_PORT: String(port) }
    const { url } = await sandbox.serve(environment)
    const local = `http://127.0.0.1:${new URL(url).port}`
    expect(await statusOf(local, '/healthz')).toBe(200)
    expect(await statusOf(local, '/metrics')).toBe(404)
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/)
    const text = await metrics.text()
    for (const name of ['requests_running', 'requests_waiting', 'requests_shed_total'])
      expect(text).toMatch(new RegExp(`^${name} 0$`, 'm'))
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1$/m,
    )
    expect(await statusOf(`http://127.0.0.1:${port}`, '/other')).toBe(404)
    for (const address of otherAddresses()) expect(await isListening(port, address)).toBe(false)
  })
})

const running = once(() => sandbox.serve(onPostgres()))

/** Returns this machine's addresses other than 127.0.0.1, and one that Linux treats as its own. */
function otherAddresses(): readonly string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  return ['127.0.0.2', ...own.filter(({ internal }) => !internal).map(({ address }) => address)]
}

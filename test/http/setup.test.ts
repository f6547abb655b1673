import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setupToken } from '../../src/auth/setup-token.ts'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { openOwnDatabase, startService, type TestService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { testDatabase } from '../support/database.ts'
import { JWT_SECRET } from '../support/environment.ts'
import { aSchool, PASSWORD } from '../support/factory.ts'
import { makeDatabase } from '../support/postgres-database.ts'
import { bearer } from '../support/session.ts'

/** Two services that share an installation of their own, without a school. */
let services: readonly [TestService, TestService]
let remove: () => Promise<void>

beforeEach(async () => {
  const { db, drop } = await anEmptyDatabase()
  const limits = { perAccountAndAddress: 3, perAccount: 4, perAddress: 5 }
  const start = () => startService(db, { loginLimits: limits })
  services = [await start(), await start()]
  remove = async () => {
    for (const service of services) await service.close()
    await db.destroy()
    await drop()
  }
})
afterEach(() => remove())

const inhabited = useService()

async function anEmptyDatabase(): Promise<{ db: DatabasePool; drop: () => Promise<void> }> {
  const database = testDatabase()
  if (database.kind === 'embedded') return { db: await openOwnDatabase(), drop: async () => undefined }
  const { app, remove: drop } = await makeDatabase(database.owner)
  return { db: connectPostgres(app, (error) => console.error('lost connection', error.message)), drop }
}

const token = setupToken(JWT_SECRET)

/** Returns a complete request with the given parts replaced. */
function setupBody({ school = {}, owner = {}, ...rest }: Record<string, object | string> = {}) {
  return {
    token,
    school: {
      name: 'Fahrschule Süd',
      country: 'AT',
      timezone: 'Europe/Vienna',
      locale: 'de',
      ...(school as object),
    },
    owner: { name: 'Änne Süd', email: ' Anne@Sued.example', password: PASSWORD, ...(owner as object) },
    ...rest,
  }
}

const visitor = (at = services[0], address?: string) =>
  new Client(at, address ? { 'x-forwarded-for': address } : {})

it('setup creates the school, logs its owner in, and is closed afterwards', async () => {
  expect((await visitor().get('/setup')).body).toEqual({ is_open: true })
  const answer = await visitor().post('/setup', setupBody())
  expect(answer.status).toBe(200)
  expect(answer.headers.getSetCookie()).toHaveLength(2)
  const { body: me } = await visitor().get('/auth/me', bearer(answer.body.token))
  expect(me).toMatchObject({ email: 'anne@sued.example', name: 'Änne Süd', role: 'owner' })
  expect(me.tenant).toMatchObject({
    name: 'Fahrschule Süd',
    country: 'AT',
    timezone: 'Europe/Vienna',
    unit_minutes: 50,
  })
  const types = await visitor().get('/lesson-types', bearer(answer.body.token))
  expect(types.body.length).toBeGreaterThan(3)
  const { body: changes } = await visitor().get('/changes', bearer(answer.body.token))
  expect(changes.map((change: Record<string, unknown>) => [change.resource, change.actor])).toEqual(
    expect.arrayContaining([
      ['tenant', { kind: 'command', id: null, name: 'setup' }],
      ['user', { kind: 'command', id: null, name: 'setup' }],
    ]),
  )
  expect(JSON.stringify(changes)).not.toMatch(/password|argon2/)
  for (const service of services) {
    expect((await visitor(service).get('/setup')).body).toEqual({ is_open: false })
    const again = await visitor(service).post('/setup', setupBody())
    expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  }
})

it('the owner can log in with the email address and password from setup', async () => {
  await visitor().post('/setup', setupBody())
  const login = await visitor().post('/auth/login', { email: 'anne@sued.example', password: PASSWORD })
  expect(login.status).toBe(200)
})

it('exactly one of 12 concurrent setups on two services succeeds; the others get 404', async () => {
  const attempts = Array.from({ length: 12 }, (_, at) =>
    visitor(services[at % 2]).post('/setup', setupBody({ owner: { email: `owner${at}@sued.example` } })),
  )
  const answers = await Promise.all(attempts)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(404)])
  const { rows } = await sql<{ tenants: number; users: number }>`
    select (select count(*)::int from tenants) as tenants, (select count(*)::int from users) as users`.execute(
    services[0].db,
  )
  expect(rows).toEqual([{ tenants: 1, users: 1 }])
})

it('setup rejects a wrong token with 404, and throttles only guesses from that address', async () => {
  const [guesser, operator] = ['198.51.100.7', '203.0.113.9']
  for (const guess of ['x', token.slice(1), `${token}x`]) {
    const answer = await visitor(services[0], guesser).post('/setup', setupBody({ token: guess }))
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  }
  const wrong = setupBody({ token: 'y' })
  const throttled = await visitor(services[1], guesser).post('/setup', wrong)
  expect([throttled.status, throttled.body.code]).toEqual([429, 'too_many_requests'])
  expect((await visitor().get('/setup')).body).toEqual({ is_open: true })
  expect((await visitor(services[1], operator).post('/setup', wrong)).status).toBe(404)
  expect((await visitor(services[1], guesser).post('/setup', setupBody())).status).toBe(200)
})

const FAULTY = [
  [{ school: { country: 'XX' } }, '/school/country'],
  [{ school: { name: '  ' } }, '/school/name'],
  [{ school: { locale: 'german' } }, '/school/locale'],
  [{ school: { locale: 'xx' } }, '/school/locale'],
  [{ school: { timezone: 'Europe/Atlantis' } }, '/school/timezone'],
  [{ school: { timezone: '+01:00' } }, '/school/timezone'],
  [{ school: { timezone: 'CET' } }, '/school/timezone'],
  [{ owner: { email: 'nobody' } }, '/owner/email'],
  [{ owner: { password: 'short' } }, '/owner/password'],
  [{ owner: { password: 'password123' } }, '/owner/password'],
  [{ owner: { password: 'Fahrschule Süd' } }, '/owner/password'],
  [{ owner: { role: 'owner' } }, '/owner/role'],
] as const

it('setup rejects an invalid field with 400 and its pointer, and stays open', async () => {
  for (const [parts, pointer] of FAULTY) {
    const { status, body } = await visitor().post('/setup', setupBody(parts))
    const pointers = body.errors?.map((fault: { pointer: string }) => fault.pointer)
    expect([status, pointers], JSON.stringify(parts)).toEqual([400, [pointer]])
  }
  expect((await visitor().get('/setup')).body).toEqual({ is_open: true })
})

it('setup is closed if a school exists, even for the right token', async () => {
  await aSchool(inhabited())
  const anonymous = new Client(inhabited())
  expect((await anonymous.get('/setup')).body).toEqual({ is_open: false })
  expect((await anonymous.post('/setup', setupBody())).status).toBe(404)
})

it('the setup token is in no log and no response (S96)', async () => {
  await visitor().post('/setup', setupBody({ token: `${token}x` }))
  const { text } = await visitor().post('/setup', setupBody())
  const logged = JSON.stringify(services.flatMap((service) => service.log()))
  expect(logged).toContain('"event":"set_up"')
  expect(logged + text).not.toContain(token)
})

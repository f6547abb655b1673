// @module-tag embedded: the embedded database has one connection, and the second request waits for it

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { TIMEOUTS } from '../../src/http/load/deadlines.ts'
import { boundsFor } from '../../src/http/load/fair-queue.ts'
import { startService, type TestService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { validBodies } from '../support/corpus.ts'
import { aSchool, aUser, logIn, type School } from '../support/factory.ts'
import { times } from '../support/races.ts'
import { bearer } from '../support/session.ts'

const usual = useService()
let busy: TestService
let school: School
let body: Record<string, unknown>

// With more turns than the embedded database has connections. Otherwise, a second request would begin after the first.
beforeAll(async () => {
  const bounds = { ...boundsFor(4), runningOfOne: 4 }
  busy = await startService(usual().db, {}, TIMEOUTS, bounds)
})
afterAll(() => busy.close())

beforeEach(async () => {
  school = await aSchool(busy)
  body = (await validBodies(school)).appointments()
})

const keyed = (key: string) => ({ 'idempotency-key': key })

/** Takes all database connections until the returned function is called. */
async function holdDatabase(): Promise<() => void> {
  const { pool } = busy.db
  const clients = await Promise.all(times(pool.options.max, () => pool.connect()))
  return () => {
    for (const client of clients) client.release()
  }
}

const untilAsking = (count: number) =>
  vi.waitFor(() => expect(busy.db.pool.waitingCount).toBe(count), { timeout: 20_000 })

it('the key of a running request gets 409 request_in_progress, then the stored response (S84)', async () => {
  const key = keyed(randomUUID())
  const letGo = await holdDatabase()
  const first = school.client.post('/appointments', body, key)
  await untilAsking(1)
  const second = await school.client.post('/appointments', body, key)
  const other = await school.client.post('/students', { first_name: 'Lena', last_name: 'Vogt' }, key)
  expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([
    409,
    'request_in_progress',
    '1',
  ])
  expect(other.body.code).toBe('request_in_progress')
  letGo()
  const made = await first
  const again = await school.client.post('/appointments', body, key)
  expect([made.status, again.status, again.text]).toEqual([201, 201, made.text])
})

it('two users can use the same key at the same time', async () => {
  const visitor = new Client(busy)
  const { email } = await aUser(busy, school.tenantId)
  const colleague = visitor.with(bearer((await logIn(visitor, email)).token))
  await colleague.get('/auth/me')
  const key = keyed(randomUUID())
  const letGo = await holdDatabase()
  const both = [school.client, colleague].map((client) => client.post('/appointments', body, key))
  await untilAsking(2)
  letGo()
  const codes = (await Promise.all(both)).map((answer) => answer.body.code ?? 'made')
  expect(codes.toSorted()).toEqual(['instructor_busy', 'made'])
})

it('a key is no longer in progress after its request got 404 or 503', async () => {
  const key = keyed(randomUUID())
  // Long enough for a request to succeed on a busy machine.
  const impatient = await startService(busy.db, {}, { ...TIMEOUTS, answer: 2_000 })
  const client = new Client(impatient, school.client.headers)
  await client.get('/auth/me')
  const unknown = { ...body, instructor_id: randomUUID() }
  expect((await client.post('/appointments', unknown, key)).status).toBe(404)
  const letGo = await holdDatabase()
  expect((await client.post('/appointments', body, key)).status).toBe(503)
  letGo()
  await vi.waitFor(
    async () => {
      const answer = await client.post('/appointments', body, key)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    },
    { timeout: 10_000 },
  )
  await impatient.close()
})

it('queued requests with the same key get the response of the first', async () => {
  const { db } = busy
  const bounds = { ...boundsFor(db.pool.options.max), running: 1, runningOfOne: 1 }
  const fair = await startService(db, {}, { ...TIMEOUTS, turn: 8_000 }, bounds)
  const client = new Client(fair, school.client.headers)
  await client.get('/auth/me')
  const key = keyed(randomUUID())
  const letGo = await holdDatabase()
  const answers = times(3, () => client.post('/appointments', body, key))
  await vi.waitFor(() => expect([fair.turns().running, fair.turns().waiting]).toEqual([1, 2]), {
    timeout: 10_000,
  })
  letGo()
  const [first, ...others] = await Promise.all(answers)
  expect(others.map(({ status, text }) => [status, text])).toEqual(others.map(() => [201, first?.text]))
  await fair.close()
})

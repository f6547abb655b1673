import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, startService, type TestService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { aScene, FREE, type Scene } from './writes.ts'

const service = useService()
let elsewhere: TestService
let lockHolder: pg.Client
let watcher: pg.Client

beforeAll(async () => {
  elsewhere = await startService(await openDatabase())
  lockHolder = await connect()
  watcher = await connect()
})

afterAll(async () => {
  await Promise.all([lockHolder.end(), watcher.end()])
  await elsewhere.close()
  await elsewhere.db.destroy()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgresDatabase().owner })
  await client.connect()
  return client
}

const headers = () => ({ 'idempotency-key': randomUUID() })

async function hold({ school: { tenantId } }: Scene): Promise<void> {
  await lockHolder.query('begin')
  await lockHolder.query('select from calendars where tenant_id = $1 for update', [tenantId])
}

/** Waits until `count` statements wait for the lock holder, directly or behind one another. */
async function untilBlocked(count: number): Promise<void> {
  const waiting = `select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while ((await watcher.query(waiting)).rowCount !== count);
}

it('a request repeated at another process while the first waits gets the same response', async () => {
  const scene = await aScene(service())
  const { school, instructors, student } = scene
  const lesson = { instructor_id: instructors[0], student_id: student, ...FREE }
  const body = { ...lesson, lesson_type_id: school.lessonTypes.PRACTICE }
  const there = new Client(elsewhere, school.client.headers)
  const key = headers()
  await hold(scene)
  const answers = [school.client.post('/appointments', body, key), there.post('/appointments', body, key)]
  await untilBlocked(2)
  await lockHolder.query('rollback')
  const [here, again] = await Promise.all(answers)
  expect([here?.status, again?.status, again?.text]).toEqual([201, 201, here?.text])
  const replayed = [here, again].map((answer) => answer?.headers.get('idempotency-replayed'))
  expect(new Set(replayed)).toEqual(new Set(['true', null]))
})

it('a different body with the same key at another process gets idempotency_key_reused', async () => {
  const scene = await aScene(service())
  const { school, instructors } = scene
  const there = new Client(elsewhere, school.client.headers)
  const key = headers()
  await hold(scene)
  const book = (client: Client, instructor_id: string | undefined) => {
    const lesson_type_id = school.lessonTypes.PRACTICE
    return client.post('/appointments', { instructor_id, lesson_type_id, ...FREE }, key)
  }
  const answers = [book(school.client, instructors[0]), book(there, instructors[1])]
  await untilBlocked(2)
  await lockHolder.query('rollback')
  const codes = (await Promise.all(answers)).map(({ status, body }) => body.code ?? status)
  expect(codes.toSorted()).toEqual([201, 'idempotency_key_reused'])
  const { start_at: from, end_at: to } = FREE
  expect((await school.client.get(`/appointments?${new URLSearchParams({ from, to })}`)).body).toHaveLength(1)
})

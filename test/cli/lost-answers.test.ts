import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, it } from 'vitest'
import { enter, type School } from '../support/factory.ts'
import type { Program } from '../support/process.ts'
import { onPostgres, sharedDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()

const ROUNDS = 2
const CLIENTS = 8
const LESSONS_BEFORE_KILL = 30

type Request = { readonly body: object; readonly key: string }

/** Books from many clients, each lesson under a key, until the service is killed. Returns the requests without a response. */
async function bookUntilKilled(
  school: School,
  service: Program,
  next: () => Request,
): Promise<readonly Request[]> {
  const unanswered: Request[] = []
  let booked = 0
  const book = async () => {
    for (;;) {
      const request = next()
      const answer = await post(school, request).catch(() => undefined)
      if (!answer) return unanswered.push(request)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null])
      booked += 1
      if (booked === LESSONS_BEFORE_KILL) service.signal('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, book))
  await service.exited
  return unanswered
}

function post({ client }: School, { body, key }: Request) {
  return client.post('/appointments', body, { 'idempotency-key': key })
}

/** Returns the fields that all lessons in the tests share. */
async function whatIsBooked(school: School) {
  const { id: instructor_id } = await school.instructor()
  return { instructor_id, lesson_type_id: school.lessonTypes.PRACTICE }
}

it('bookings interrupted by kill -9 are stored exactly once when their requests are repeated (S84, F1)', async () => {
  const { DATA_DIR, made } = await sandbox.schoolDir()
  let { service, url } = await sandbox.serve({ DATA_DIR })
  let school = await enter({ url }, made)
  const booked = { ...(await whatIsBooked(school)), student_id: (await school.student()).id }
  let sent = 0
  const next = (): Request => {
    const day = new Date(Date.UTC(2030, 0, 1 + sent++)).toISOString().slice(0, 10)
    const times = { start_at: `${day} 08:00`, end_at: `${day} 09:30` }
    return { body: { ...booked, ...times }, key: randomUUID() }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const unanswered = await bookUntilKilled(school, service, next)
    ;({ service, url } = await sandbox.serve({ DATA_DIR }))
    school = await enter({ url }, made)
    const answers = await Promise.all(unanswered.map((request) => post(school, request)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect((await school.client.get('/appointments')).body).toHaveLength(sent)
  }
  expect(sent).toBeGreaterThan(ROUNDS * LESSONS_BEFORE_KILL)
})

it('a booking committed after its process was killed is replayed by the next process (F2)', async () => {
  const killed = await sandbox.serve(onPostgres())
  const made = await makeSchool(sandbox, onPostgres())
  const { tenantId } = made
  const school = await enter({ url: killed.url }, made)
  const times = { start_at: '2030-01-07 08:00', end_at: '2030-01-07 09:30' }
  const request = { body: { ...(await whatIsBooked(school)), ...times }, key: randomUUID() }
  const [lockHolder, watcher] = [await connect(), await connect()]
  await lockHolder.query('begin')
  await lockHolder.query('select from calendars where tenant_id = $1 for update', [tenantId])
  const lost = post(school, request).catch(() => 'no answer')
  const { rows } = await lockHolder.query('select pg_backend_pid() as pid')
  const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
  while ((await watcher.query(waiting, [rows[0].pid])).rowCount === 0);
  await killed.service.stop('SIGKILL')
  await lockHolder.query('rollback')
  expect(await lost).toBe('no answer')
  const booked = 'select id from appointments where tenant_id = $1'
  while ((await watcher.query(booked, [tenantId])).rowCount === 0);
  await Promise.all([lockHolder.end(), watcher.end()])

  const { url } = await sandbox.serve(onPostgres())
  const next = await enter({ url }, made)
  const answer = await post(next, request)
  expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect((await next.client.get('/appointments')).body).toEqual([answer.body])
})

it('a series interrupted by kill -9 is completed when repeated, with each lesson booked once', async () => {
  const killed = await sandbox.serve(onPostgres())
  const made = await makeSchool(sandbox, onPostgres())
  const { tenantId } = made
  const school = await enter({ url: killed.url }, made)
  const times = { start_at: '2030-01-07 08:00', end_at: '2030-01-07 09:30' }
  const body = {
    appointment: { ...(await whatIsBooked(school)), ...times },
    repeat: { every_weeks: 1, count: 52 },
  }
  const key = { 'idempotency-key': randomUUID() }
  const post = ({ client }: School) => client.post('/appointments/series', body, key)
  const [lockHolder, watcher] = [await connect(), await connect()]
  const booked = async () =>
    (await watcher.query('select series_id from appointments where tenant_id = $1', [tenantId])).rows
  const lost = post(school).catch(() => 'no answer')
  while ((await booked()).length < 5);
  // Keeps the series from ending before the kill on a busy machine.
  await lockHolder.query('begin')
  await lockHolder.query('select from calendars where tenant_id = $1 for update', [tenantId])
  await killed.service.stop('SIGKILL')
  await lockHolder.end()
  expect(await lost).toBe('no answer')
  const begun = await booked()
  expect(begun.length).toBeLessThan(52)

  const { url } = await sandbox.serve(onPostgres())
  const next = await enter({ url }, made)
  const answer = await post(next)
  expect([answer.status, answer.body.series_id]).toEqual([200, begun[0].series_id])
  expect(answer.body.booked).toHaveLength(52)
  expect((await next.client.get('/appointments')).body).toEqual(answer.body.booked)
  expect((await post(next)).text).toBe(answer.text)
  await watcher.end()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: sharedDatabase().owner })
  await client.connect()
  return client
}

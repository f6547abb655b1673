// @module-tag long: waits for timeouts of the service; slow-clients.test.ts covers the path

import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { MAX_HELD, STREAM_BYTES } from '../../src/http/load/open-responses.ts'
import { startService, type TestService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'
import { times } from '../support/races.ts'
import { storeLessons } from '../support/stored-lessons.ts'
import { hostLine } from '../support/wire.ts'

const PATIENCE = { turn: 2_000, answer: 9_000, reader: 4_000 }
const STUDENTS = 4_000
const NOTES = 5_000
/** Enough for a long list of ids. */
const LESSONS = 2_000

const usual = useService()
const sockets: Socket[] = []
let service: TestService
let school: School
let other: School

beforeAll(async () => {
  service = await startService(usual().db, {}, PATIENCE)
  ;[school, other] = [await aSchool(service), await aSchool(service)]
  await addStudents(service, school, STUDENTS)
  await sql`update students set notes = repeat('x', ${sql.lit(NOTES)})
    where tenant_id = ${school.tenantId}`.execute(service.db)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => service.close())

/** Sends the same request `count` times over one connection, and reads no response. */
function ask(path: string, count = 1, coding = 'identity', asked = service): Socket {
  const { hostname, port } = new URL(asked.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const authorization = `Authorization: ${school.client.headers.authorization}`
  const own = [hostLine(asked), authorization, `Accept-Encoding: ${coding}`]
  socket.write([`GET /api/v1${path} HTTP/1.1`, ...own, '', ''].join('\r\n').repeat(count))
  sockets.push(socket)
  return socket
}

const held = (asked = service) => asked.app.openResponses.bytes
const linesOf = (status: number) => service.log().filter((line) => line.status === status)

/** Waits until the unread responses are dropped and the user is served again. */
async function requireNothingHeld(): Promise<void> {
  await vi.waitFor(() => expect(held()).toBe(0), { timeout: 20_000 })
  await vi.waitFor(async () => expect((await school.client.get('/lesson-types')).status).toBe(200), {
    timeout: 10_000,
  })
}

describe.each([
  ['a long list', '/students', 1, 'identity'],
  ['a long list with gzip', '/students', 1, 'gzip'],
  ['a long list with Brotli', '/students', 1, 'br'],
  ['a page of 1,000 rows', '/students?limit=1000', 1, 'identity'],
  ['a CSV file', '/exports/students.csv', 1, 'identity'],
  ['many long lists over one connection', '/students', 8, 'identity'],
])('a user who requests %s 30 times and reads no response', (_, path, count, coding) => {
  it('gets 503 at the memory limit while another school is served, and holds nothing in the end (S89, S95)', async () => {
    const refused = linesOf(503).length
    for (const _ of times(30, Number)) ask(path, count, coding)
    let most = 0
    await vi.waitFor(
      () => {
        most = Math.max(most, held())
        // On a busy machine, the first request is rejected for lack of a turn before any response is held.
        expect(most).toBeGreaterThan(0)
        expect(linesOf(503).length).toBeGreaterThan(refused)
      },
      { timeout: 10_000, interval: 5 },
    )
    expect(most).toBeLessThanOrEqual(MAX_HELD.user)
    expect((await other.client.get('/bootstrap')).status).toBe(200)
    await requireNothingHeld()
  })
})

it('a write returns its outcome however many unread responses its user has', async () => {
  const writer = new Client(service, school.client.headers)
  const [{ id: instructor_id }, { id: student_id }] = [await school.instructor(), await school.student()]
  const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
  const lessons = times(LESSONS, (index) => {
    const day = daysLater('2041-01-07', index)
    const times = { start_at: `${day} 08:00`, end_at: `${day} 09:00` }
    return { instructor_id, student_id, lesson_type_id, status: 'planned', ...times }
  })
  await storeLessons(service, school, lessons)
  await writer.delete(`/students/${student_id}`)
  for (const _ of times(30, Number)) ask('/students')
  const refused = linesOf(503).length
  await vi.waitFor(() => expect(linesOf(503).length).toBeGreaterThan(refused), { timeout: 10_000 })
  const { status, body } = await writer.post(`/students/${student_id}/restore`)
  expect([status, body.restored?.length]).toEqual([200, LESSONS])
  await requireNothingHeld()
})

describe('a client with three unread lists on one connection', () => {
  let patient: TestService

  // On a busy machine, three lists begin within the usual response timeout, but not within a shorter one for a turn.
  beforeAll(async () => {
    patient = await startService(usual().db, {}, { ...PATIENCE, turn: PATIENCE.answer })
  })
  afterAll(() => patient.close())

  it.each([
    ['disconnects', (socket: Socket) => socket.destroy()],
    ['sends CONNECT', (socket: Socket) => socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')],
    [
      'pipelines too many requests',
      (socket: Socket) => socket.write(`GET /healthz HTTP/1.1\r\n${hostLine(patient)}\r\n\r\n`.repeat(9)),
    ],
  ])('holds no response memory once it %s', async (_, end) => {
    const socket = ask('/students', 3, 'identity', patient)
    await vi.waitFor(() => expect(held(patient)).toBe(3 * STREAM_BYTES), { timeout: 10_000, interval: 5 })
    end(socket)
    await vi.waitFor(() => expect(held(patient)).toBe(0), { timeout: 10_000 })
  })
})

it('concurrent long lists that return 200 are complete', async () => {
  const own = new Client(service, school.client.headers)
  const lists = await Promise.all(times(6, () => own.get('/students?limit=1000')))
  const whole = lists.filter(({ status }) => status === 200)
  expect(whole.length).toBeGreaterThan(0)
  for (const { body } of whole) expect(body).toHaveLength(1000)
  await requireNothingHeld()
})

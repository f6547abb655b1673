import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openOwnDatabase, startService, type TestService, useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, logIn, type School } from '../support/factory.ts'
import { GatedPool } from '../support/gated-pool.ts'
import { until } from '../support/process.ts'

// One process books, the other closes the school. Each is stopped before each of its statements in turn.
const elsewhere = useService()
const [bookings, closures] = [new GatedPool(), new GatedPool()]
let services: readonly TestService[]
let school: School
let booker: Client
let closer: Client

beforeAll(async () => {
  services = await Promise.all(
    [bookings, closures].map(async (gate) => startService(gate.guard(await openOwnDatabase()))),
  )
})

beforeEach(async () => {
  school = await aSchool(elsewhere())
  const { token } = await logIn(new Client(elsewhere()), school.user.email)
  const clients = services.map((service) => new Client(service, { authorization: `Bearer ${token}` }))
  ;[booker, closer] = clients as [Client, Client]
  // Both cache the session from here on.
  for (const client of clients) await client.get('/auth/me')
})

afterAll(async () => {
  for (const service of services) {
    await service.close()
    await service.db.destroy()
  }
})

const DAY = '2031-05-05'
const close = () => closer.post('/closures', { start_date: DAY, end_date: DAY })
const book = (instructor_id: string) =>
  booker.post('/appointments', {
    instructor_id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    start_at: `${DAY} 10:00`,
    end_at: `${DAY} 10:45`,
  })

it('a booking paused before any of its statements gets 409 school_closed once the school is closed', async () => {
  const codes: unknown[] = []
  for (let number = 1; ; number += 1) {
    const { id } = await school.instructor()
    const booking = stoppedBefore(bookings, number, () => book(id))
    if (!(await booking.isStopped)) {
      expect((await booking.answer).status).toBe(201)
      break
    }
    const closing = close()
    const isClosed = await settlesWithoutWaiting(closing)
    bookings.open()
    const { status, body } = await booking.answer
    if (isClosed) expect([number, status, body.code]).toEqual([number, 409, 'school_closed'])
    codes.push(body.code)
    await school.client.delete(`/closures/${(await closing).body.id}`)
  }
  expect(codes).toContain('school_closed')
})

it('an instructor created during a closure request cannot be booked on the closed day', async () => {
  for (let number = 1; ; number += 1) {
    const closing = stoppedBefore(closures, number, close)
    if (!(await closing.isStopped)) break
    const hiring = school.client.post('/instructors', { first_name: 'Ute', last_name: 'Brandt' })
    if (!(await settlesWithoutWaiting(hiring))) closures.open()
    const { id } = (await hiring).body
    // The first statement reads, the second writes.
    const booking = stoppedBefore(bookings, 2, () => book(id))
    await booking.isStopped
    closures.open()
    const closed = await closing.answer
    expect(closed.status).toBe(201)
    bookings.open()
    expect([number, (await booking.answer).body.code]).toEqual([number, 'school_closed'])
    await school.client.delete(`/closures/${closed.body.id}`)
  }
})

/** Sends a request and stops it before a statement. `isStopped` is false if it ends without that statement. */
function stoppedBefore(gate: GatedPool, number: number, send: () => Promise<Answer>) {
  gate.closeBefore(number)
  const answer = send().finally(() => gate.open())
  return { answer, isStopped: Promise.race([gate.reached.then(() => true), answer.then(() => false)]) }
}

/** Waits until a request has a response or waits for a lock. Returns whether it has a response. */
async function settlesWithoutWaiting(answer: Promise<Answer>): Promise<boolean> {
  let isAnswered = false
  void answer.then(() => {
    isAnswered = true
  })
  await until(async () => isAnswered || (await isAnyWaiting()))
  return isAnswered
}

async function isAnyWaiting(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(elsewhere().db)
  return rows.length > 0
}

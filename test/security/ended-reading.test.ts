// @module-tag long: ends each kind of access while a response is sent; session-races.test.ts ends sessions during writes

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { feedOf } from '../support/links.ts'
import { addStudents, beginReading } from '../support/long-list.ts'
import { inSession } from '../support/passkeys.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'

const service = useService()
const STUDENTS = 30_000
const LESSONS = 20_000
const PART = 5_000
let other: TestService
let school: School
let user: LoggedIn

beforeAll(async () => {
  other = await startService(service().db)
  school = await aSchool(service())
  await addStudents(service(), school, STUDENTS)
})

afterAll(() => other.close())

beforeEach(async () => {
  user = await loginOf(service(), await aUser(service(), school.tenantId))
})

const ENDINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'its user is disabled': async () =>
    must(200, await school.client.patch(`/users/${user.user.id}`, { disabled: true })),
  'its user has another role': async () =>
    must(200, await school.client.patch(`/users/${user.user.id}`, { role: 'office' })),
  'its session is logged out': async () =>
    must(204, await new Client(service()).post('/auth/logout', { refresh_token: user.refreshToken })),
}

const PATHS = ['/students', '/students?with=progress', '/bootstrap', '/exports/students.csv']

async function begin(path: string, reached = service(), client = inSession(user)) {
  const reading = await beginReading(reached, { client }, path)
  return { ...reading, end: async () => reading.rest().catch(() => 'broken off') }
}

describe.each(PATHS)('a streaming reader of GET %s', (path) => {
  it.each(Object.keys(ENDINGS))('gets no further page once %s (S22)', async (ending) => {
    const reading = await begin(path)
    await ENDINGS[ending]?.()
    expect(await reading.end()).toBe('broken off')
  })

  it('gets the whole response if the session stays valid', async () => {
    expect((await (await begin(path)).end()).length).toBeGreaterThan(STUDENTS * 40)
  })
})

it('a reader at another process gets no further page once that process sees the ended session (S22)', async () => {
  const elsewhere = new Client(other, inSession(user).headers)
  const reading = await begin('/students', other, elsewhere)
  await ENDINGS['its user is disabled']?.()
  await expect.poll(async () => (await elsewhere.get('/auth/me')).status, { timeout: 20_000 }).toBe(401)
  expect(await reading.end()).toBe('broken off')
})

describe('a reader of a calendar feed', () => {
  let instructor: { readonly id: string }
  let path: string

  beforeAll(async () => {
    instructor = await school.instructor()
    // In parts, because a statement has four seconds.
    for (let first = 1; first <= LESSONS; first += PART)
      await sql`insert into appointments (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, title, status,
          overrides_used)
        select ${school.tenantId}, gen_random_uuid(), ${instructor.id}, ${school.lessonTypes.PRACTICE}, start_at,
          start_at + interval '1 minute', repeat('x', 100), 'cancelled', '{}'
        from (select date_trunc('day', now()::timestamp) + n * interval '20 minutes' as start_at
          from generate_series(${sql.lit(first)}, ${sql.lit(first + PART - 1)}) n) hours`.execute(
        service().db,
      )
  })

  beforeEach(async () => {
    path = await feedOf(school, instructor, 'full')
  })

  it('gets no further page once the link is deleted', async () => {
    const reading = await begin(path, service(), new Client(service()))
    must(204, await school.client.delete(`/instructors/${instructor.id}/calendar-feed`))
    expect(await reading.end()).toBe('broken off')
  })

  it('gets the whole feed while the link is valid', async () => {
    const reading = await begin(path, service(), new Client(service()))
    expect(await reading.end()).toMatch(/END:VCALENDAR\s+$/)
  })
})

it('a response broken off by an ended session is not logged as an error', async () => {
  const reading = await begin('/students')
  await ENDINGS['its user is disabled']?.()
  await reading.end()
  const log = service().log(reading)
  expect(log.map(({ level }) => level)).not.toContain(50)
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'answer_broken_off', reason: 'unauthenticated' }),
  )
})

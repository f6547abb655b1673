import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { historyOf } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const DAY = '2026-05-04'
const ACTUAL = { actual_start_at: `${DAY} 08:05`, actual_end_at: `${DAY} 09:47` }
const NONE = { actual_start_at: null, actual_end_at: null }
const START = ['/actual_start_at']
const END = ['/actual_end_at']

let school: School
let instructor: Client
let lesson: Row
let path: string

beforeEach(async () => {
  school = await aSchool(service())
  const { id: instructor_id } = await school.instructor({ max_daily_units: 2, required_break_minutes: 30 })
  const { id: student_id } = await school.student()
  lesson = await school.lesson({ instructor_id, student_id, ...at('08:00', '09:30') })
  path = `/appointments/${lesson.id}`
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  instructor = (await enter(service(), { tenantId: school.tenantId, user })).client
})

describe('actual times', () => {
  it('can be written by the office and by the instructor, and are recorded in the history', async () => {
    const noted = await instructor.patch(path, { ...ACTUAL, practised: 'Parking.', status: 'completed' })
    expect([noted.status, noted.body]).toEqual([
      200,
      {
        ...lesson,
        ...ACTUAL,
        practised: 'Parking.',
        status: 'completed',
        version: 2,
        updated_at: expect.anything(),
      },
    ])
    const corrected = await school.client.patch(path, { actual_end_at: `${DAY} 09:40` })
    expect(corrected.body).toMatchObject({ ...ACTUAL, actual_end_at: `${DAY} 09:40`, end_at: lesson.end_at })
    const [newest, before] = await historyOf(school.client, path)
    expect(newest?.after).toEqual({ actual_end_at: `${DAY} 09:40`, version: 3 })
    expect(before?.before).toEqual({ ...NONE, practised: null, status: 'planned', version: 1 })
    expect((await school.client.patch(path, NONE)).body).toMatchObject(NONE)
  })

  it('do not affect conflicts and limits, nor the progress by a lesson that is not done', async () => {
    const instructor_id = lesson.instructor_id
    const next = await school.lesson({
      instructor_id: (await school.instructor()).id,
      ...at('10:00', '11:30'),
    })
    const long = { actual_start_at: `${DAY} 06:00`, actual_end_at: `${DAY} 11:00` }
    expect((await school.client.patch(path, long)).status).toBe(200)
    const full = await school.book({ instructor_id, ...at('14:00', '15:30') })
    expect([full.status, full.body.code]).toEqual([409, 'daily_limit_exceeded'])
    expect(full.body.params).toMatchObject({ booked_units: 2 })
    const { id: student_id } = await school.student()
    expect((await school.client.patch(`/appointments/${next.id}`, { student_id })).status).toBe(200)
    expect((await school.client.get(`/students/${lesson.student_id}/progress`)).body.other).toEqual([
      { lesson_type_id: lesson.lesson_type_id, done_units: 0, planned_units: 2 },
    ])
  })

  it.each([
    ['only the start', { actual_start_at: `${DAY} 08:05` }, END, 'required'],
    ['only the end', { actual_end_at: `${DAY} 08:05` }, END, 'required'],
    ['an end equal to the start', { ...ACTUAL, actual_end_at: ACTUAL.actual_start_at }, END, 'wrong_order'],
    ['a duration of more than a day', { ...ACTUAL, actual_end_at: '2026-05-05 08:06' }, END, 'too_long'],
    [
      'a time skipped by the clock change',
      { ...ACTUAL, actual_start_at: '2026-03-29 02:30' },
      START,
      'skipped_time',
    ],
    ['a date without a time', { ...ACTUAL, actual_start_at: DAY }, START, 'invalid_format'],
  ])('are rejected with %s', async (_, change, pointers, code) => {
    const { status, body } = await instructor.patch(path, change)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).slice(0, 1)).toEqual(pointers)
    expect(body.errors[0].code).toBe(code)
    expect((await school.client.get(path)).body).toEqual(lesson)
  })

  it('may last one minute, or end 12 hours after the planned end', async () => {
    for (const end of [`${DAY} 08:06`, `${DAY} 21:30`]) {
      const { status, body } = await instructor.patch(path, { ...ACTUAL, actual_end_at: end })
      expect([status, body.actual_end_at]).toEqual([200, end])
    }
  })

  it.each([
    ['2026-05-03 19:59', '2026-05-03 21:29', [...START, ...END]],
    ['2026-05-03 19:59', '2026-05-03 21:30', START],
    ['2026-05-03 20:00', '2026-05-03 21:30', []],
    [`${DAY} 20:00`, `${DAY} 21:30`, []],
    [`${DAY} 20:00`, `${DAY} 21:31`, END],
    [`${DAY} 20:01`, `${DAY} 21:31`, [...START, ...END]],
    [`${DAY} 04:00`, '2026-05-05 03:30', END],
  ])('from %s to %s have too_far faults at %j', async (actual_start_at, actual_end_at, pointers) => {
    const { status, body } = await instructor.patch(path, { actual_start_at, actual_end_at })
    expect(status).toBe(pointers.length > 0 ? 400 : 200)
    const faults = (body.errors ?? []).map((fault: Row) => [fault.pointer, fault.code])
    expect(faults).toEqual(pointers.map((pointer) => [pointer, 'too_far']))
  })

  it('are unchanged when notes change or the lesson moves within its day', async () => {
    expect((await instructor.patch(path, { ...ACTUAL, status: 'completed' })).status).toBe(200)
    const moved = await school.client.patch(path, at('10:00', '11:30'))
    expect([moved.status, moved.body]).toMatchObject([200, ACTUAL])
    expect((await school.client.patch(path, { notes: 'Paid.' })).body).toMatchObject(ACTUAL)
  })

  it('prevent a move of the lesson to another day unless they are cleared', async () => {
    const planned = { start_at: '2026-05-11 08:00', end_at: '2026-05-11 09:30' }
    expect((await instructor.patch(path, ACTUAL)).status).toBe(200)
    const { status, body } = await school.client.patch(path, planned)
    expect([status, body.errors.map(({ pointer, code }: Row) => [pointer, code])]).toEqual([
      400,
      [...START, ...END].map((pointer) => [pointer, 'too_far']),
    ])
    expect((await school.client.get(path)).body).toMatchObject({ start_at: lesson.start_at, ...ACTUAL })
    const cleared = await school.client.patch(path, { ...planned, ...NONE })
    expect([cleared.status, cleared.body]).toMatchObject([200, { ...planned, ...NONE }])
  })

  it('do not block other changes if an earlier release stored them too far from the plan', async () => {
    await sql`update appointments set actual_start_at = '2026-05-01 08:00', actual_end_at = '2026-05-01 09:00'
      where id = ${lesson.id}`.execute(service().db)
    const again = { start_at: lesson.start_at, end_at: lesson.end_at, notes: 'Paid.' }
    expect((await school.client.patch(path, again)).status).toBe(200)
  })

  it('are rejected in a booking with unknown_field', async () => {
    const { status, body } = await school.book({
      instructor_id: lesson.instructor_id,
      ...at('12:00', '13:30'),
      ...ACTUAL,
    })
    expect([status, body.errors.map(({ code }: { code: string }) => code)]).toEqual([
      400,
      ['unknown_field', 'unknown_field'],
    ])
  })

  it("are rejected with 404 on another instructor's lesson, and with 403 together with planned times", async () => {
    const { id: instructor_id } = await school.instructor()
    const other = await school.lesson({ instructor_id, ...at('12:00', '13:30') })
    expect((await instructor.patch(`/appointments/${other.id}`, ACTUAL)).status).toBe(404)
    expect((await instructor.patch(path, { ...ACTUAL, end_at: `${DAY} 10:00` })).status).toBe(403)
  })
})

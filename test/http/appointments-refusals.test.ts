import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

/** A Monday. */
const DAY = '2026-05-04'

/** Rules and booked lessons of the instructor under which a lesson from 10:00 to 11:30 breaks the rule `code`. */
type Situation = {
  readonly code: string
  readonly rules?: object
  /** Lessons booked with the instructor before the rules are set. */
  readonly booked?: readonly object[]
  readonly params: (ids: { booked: readonly string[]; instructor: string }) => object
}

const LIMITS = { override_units: null, requested_units: 2 }

const SITUATIONS: readonly Situation[] = [
  {
    code: 'instructor_inactive',
    rules: { active: false },
    params: ({ instructor }) => ({ instructor_id: instructor }),
  },
  {
    code: 'instructor_busy',
    booked: [at('11:15', '12:00'), at('09:00', '10:30')],
    params: ({ booked }) => ({ appointment_id: booked[1], ...at('09:00', '10:30') }),
  },
  {
    code: 'instructor_on_vacation',
    rules: {
      vacations: [
        { start_date: '2026-05-04', end_date: '2026-05-08', note: 'spät' },
        { start_date: '2026-05-01', end_date: '2026-05-04', note: 'früh' },
        { start_date: '2026-05-05', end_date: '2026-06-01' },
      ],
    },
    params: () => ({ start_date: '2026-05-01', end_date: '2026-05-04', note: 'früh' }),
  },
  {
    code: 'outside_availability',
    rules: {
      availability_windows: [
        { weekday: 1, start: '14:00', end: '18:00' },
        { weekday: 2, start: '08:00', end: '18:00' },
        { weekday: 1, start: '08:00', end: '11:29' },
      ],
    },
    params: () => ({
      date: DAY,
      windows: [
        { weekday: 1, start: '08:00', end: '11:29' },
        { weekday: 1, start: '14:00', end: '18:00' },
      ],
    }),
  },
  {
    code: 'outside_availability',
    rules: { availability_windows: [{ weekday: 2, start: '08:00', end: '18:00' }] },
    params: () => ({ date: DAY, windows: [] }),
  },
  {
    code: 'daily_limit_exceeded',
    booked: [at('06:00', '06:20')],
    rules: { max_daily_units: 2 },
    params: () => ({ date: DAY, limit_units: 2, booked_units: 0.44, ...LIMITS }),
  },
  {
    code: 'daily_limit_exceeded',
    booked: [at('06:00', '07:31')],
    rules: { max_daily_units: 2, max_daily_override: 4 },
    params: () => ({ date: DAY, limit_units: 2, booked_units: 2.02, ...LIMITS, override_units: 4 }),
  },
  {
    code: 'daily_limit_exceeded',
    rules: { max_daily_units: 1, max_daily_override: 0 },
    params: () => ({ date: DAY, limit_units: 1, booked_units: 0, ...LIMITS, override_units: 0 }),
  },
  {
    code: 'weekly_limit_exceeded',
    booked: [
      at('23:00', '23:45', '2026-05-10'),
      at('08:00', '12:00', '2026-05-11'),
      at('08:00', '09:00', '2026-05-03'),
    ],
    rules: { max_weekly_units: 2 },
    params: () => ({ week_start: DAY, limit_units: 2, booked_units: 1, ...LIMITS }),
  },
  {
    code: 'break_too_short',
    booked: [at('11:49', '12:00'), at('09:00', '09:41')],
    rules: { required_break_minutes: 20 },
    params: ({ booked }) => ({ gap_minutes: 19, required_minutes: 20, appointment_id: booked[1] }),
  },
  {
    code: 'break_too_short',
    booked: [at('12:00', '13:00'), { start_at: '2026-05-03 23:59', end_at: `${DAY} 09:00` }],
    rules: { required_break_minutes: 60 },
    params: ({ booked }) => ({ gap_minutes: 30, required_minutes: 60, appointment_id: booked[0] }),
  },
  {
    code: 'continuous_minutes_exceeded',
    booked: [at('08:00', '09:46'), at('11:44', '12:00'), at('12:15', '13:00')],
    rules: { max_continuous_minutes: 239 },
    params: () => ({ minutes: 240, limit_minutes: 239, ...at('08:00', '12:00') }),
  },
]

const LESSON = at('10:00', '11:30')
const names = SITUATIONS.map((situation, index) => ({ ...situation, name: `${index + 1} ${situation.code}` }))

describe.each(names)('broken rule $name', ({ code, rules = {}, booked = [], params }) => {
  let instructor: string
  let expected: object

  beforeEach(async () => {
    instructor = (await school.instructor()).id
    const ids: string[] = []
    for (const times of booked) ids.push((await school.lesson({ instructor_id: instructor, ...times })).id)
    expect((await school.client.patch(`/instructors/${instructor}`, rules)).status).toBe(200)
    expected = params({ booked: ids, instructor })
  })

  async function expectRefusal(attempt: Promise<Answer>): Promise<void> {
    const { status, body } = await attempt
    expect([status, body.code, body.params]).toEqual([409, code, expected])
    expect(body.detail).toMatch(/^[^{}]+\.$/)
  }

  it('rejects a booking, a change of instructor and a change to planned, and writes nothing (S83)', async () => {
    const { id: another } = await school.instructor()
    const elsewhere = await school.lesson({ instructor_id: another, ...LESSON })
    const cancelled = await school.lesson({ instructor_id: instructor, ...LESSON, status: 'cancelled' })
    const before = await fingerprint(service(), school.tenantId)
    await expectRefusal(school.book({ instructor_id: instructor, ...LESSON }))
    await expectRefusal(school.client.patch(`/appointments/${elsewhere.id}`, { instructor_id: instructor }))
    await expectRefusal(school.client.patch(`/appointments/${cancelled.id}`, { status: 'planned' }))
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it('rejects a change of times and a restore', async () => {
    await school.client.patch(`/instructors/${instructor}`, { active: true })
    const free = { active: true, max_daily_units: null, max_weekly_units: null, required_break_minutes: 0 }
    const none = { ...free, vacations: [], availability_windows: [], max_continuous_minutes: null }
    await school.client.patch(`/instructors/${instructor}`, none)
    const later = { instructor_id: instructor, ...at('10:00', '11:30', '2027-05-03') }
    const lesson = await school.lesson(later)
    await school.client.patch(`/instructors/${instructor}`, rules)
    await expectRefusal(school.client.patch(`/appointments/${lesson.id}`, LESSON))
    await school.client.delete(`/appointments/${lesson.id}`)
    await service().db.updateTable('appointments').set(LESSON).where('id', '=', lesson.id).execute()
    await expectRefusal(school.client.post(`/appointments/${lesson.id}/restore`))
  })
})

it('booking, moving, assigning or reactivating a lesson returns 409 student_busy (S83)', async () => {
  const { id: student_id } = await school.student()
  const [one, two, three] = [await school.instructor(), await school.instructor(), await school.instructor()]
  const rival = await school.lesson({ instructor_id: one.id, student_id, ...at('11:00', '12:00') })
  const later = await school.lesson({ instructor_id: two.id, student_id, ...at('15:00', '16:00') })
  const ofNobody = await school.lesson({ instructor_id: two.id, ...LESSON })
  const cancelled = { instructor_id: three.id, student_id, ...LESSON, status: 'cancelled' }
  const { id } = await school.lesson(cancelled)
  for (const answer of [
    await school.book({ instructor_id: three.id, student_id, ...LESSON }),
    await school.client.patch(`/appointments/${later.id}`, { instructor_id: three.id, ...LESSON }),
    await school.client.patch(`/appointments/${ofNobody.id}`, { student_id }),
    await school.client.patch(`/appointments/${id}`, { status: 'planned' }),
  ]) {
    const params = { appointment_id: rival.id, ...at('11:00', '12:00') }
    expect([answer.status, answer.body.code, answer.body.params]).toEqual([409, 'student_busy', params])
  }
})

it('outside_availability reports the first day that the working hours do not cover', async () => {
  const window = (weekday: number, start: string, end: string) => ({ weekday, start, end })
  const { id } = await school.instructor({ availability_windows: [window(3, '00:00', '24:00')] })
  const overnight = { instructor_id: id, start_at: `${DAY} 23:00`, end_at: '2026-05-05 01:00' }
  expect((await school.book(overnight)).body.params).toEqual({ date: DAY, windows: [] })
  const evening = { availability_windows: [window(1, '20:00', '24:00')] }
  await school.client.patch(`/instructors/${id}`, evening)
  expect((await school.book(overnight)).body.params).toEqual({ date: '2026-05-05', windows: [] })
  const both = { availability_windows: [window(1, '20:00', '24:00'), window(2, '00:00', '01:00')] }
  await school.client.patch(`/instructors/${id}`, both)
  expect((await school.book(overnight)).status).toBe(201)
})

import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checked } from '../support/checked.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const MONDAY = '2030-05-06'
const EARLIER = new Date('2030-05-01T06:00:00Z')
/** The day on which Berlin's clocks jump from 02:00 to 03:00. */
const SUNDAY_OF_SPRING = '2030-03-31'

let school: School

beforeAll(async () => {
  service().setClock(EARLIER)
  school = await aSchool(service())
})

afterEach(() => service().setClock(EARLIER))

const on = (start: string, end: string, day = MONDAY) => at(start, end, day)
const type = (code: string) => school.lessonTypes[code]
const check = (fields: object) => checked(service(), school, fields)
const codesIn = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code)

describe('POST /appointments/check', () => {
  it('allows a valid lesson, and returns the load of its day and week', async () => {
    const { id } = await school.instructor({ max_daily_units: 2, max_daily_override: 6, max_weekly_units: 9 })
    await school.lesson({ instructor_id: id, ...on('08:00', '09:30') })
    const { status, body } = await check({ instructor_id: id, ...on('10:00', '10:45') })
    expect(status).toBe(200)
    expect(body).toEqual({
      allowed: true,
      refusals: [],
      warnings: [{ code: 'no_student', params: { lesson_type_id: type('PRACTICE') } }],
      overrides_used: ['daily'],
      load: {
        day: { date: MONDAY, booked_units: 2, requested_units: 1, limit_units: 2, override_units: 6 },
        week: {
          week_start: MONDAY,
          booked_units: 2,
          requested_units: 1,
          limit_units: 9,
          override_units: null,
        },
      },
      alternatives: [],
    })
    const free = await check({
      instructor_id: id,
      lesson_type_id: type('CONSULTATION'),
      ...on('10:00', '10:45'),
    })
    expect(free.body).toMatchObject({ overrides_used: [], load: { day: { requested_units: 0 } } })
  })

  it('lists all broken rules in order, starting with the one that a booking reports', async () => {
    const { id } = await school.instructor({
      max_daily_units: 2,
      max_weekly_units: 2,
      required_break_minutes: 30,
      max_continuous_minutes: 90,
      availability_windows: [{ weekday: 1, start: '08:00', end: '12:00' }],
    })
    const first = await school.lesson({ instructor_id: id, ...on('08:00', '09:30') })
    const proposal = { instructor_id: id, ...on('09:40', '12:30') }
    const { body } = await check(proposal)
    expect([body.allowed, body.overrides_used]).toEqual([false, []])
    expect(codesIn(body.refusals)).toEqual([
      'outside_availability',
      'daily_limit_exceeded',
      'weekly_limit_exceeded',
      'break_too_short',
      'continuous_minutes_exceeded',
    ])
    const [outside, , , tooShort] = body.refusals
    const booked = await school.book(proposal)
    expect({ code: booked.body.code, params: booked.body.params }).toEqual(outside)
    expect(tooShort.params).toEqual({
      gap_minutes: 10,
      required_minutes: 30,
      appointment_id: first.id,
      first_start_at: null,
    })
  })

  it('returns the first start with a sufficient break, to the minute', async () => {
    const { id } = await school.instructor({ required_break_minutes: 20 })
    await school.lesson({ instructor_id: id, ...on('08:00', '08:45') })
    await school.lesson({ instructor_id: id, ...on('10:00', '10:45') })
    const { body } = await check({ instructor_id: id, ...on('08:50', '09:40') })
    expect(body.refusals[0].params.first_start_at).toBe(`${MONDAY} 11:05`)
    const shorter = await check({ instructor_id: id, ...on('08:50', '09:25') })
    expect(shorter.body.refusals[0].params.first_start_at).toBe(`${MONDAY} 09:05`)
    expect((await school.book({ instructor_id: id, ...on('08:50', '09:25') })).body.params).toEqual({
      gap_minutes: 5,
      required_minutes: 20,
      appointment_id: expect.any(String),
    })
  })

  it('applies no rules to a lesson that is or becomes cancelled', async () => {
    const { id } = await school.instructor()
    const taken = on('08:00', '09:00')
    const lesson = await school.lesson({ instructor_id: id, ...taken })
    for (const fields of [
      { instructor_id: id, ...taken, status: 'cancelled' },
      { appointment_id: lesson.id, status: 'cancelled', ...on('08:30', '09:30') },
    ]) {
      const { body } = await check(fields)
      expect([body.allowed, body.refusals, body.warnings]).toEqual([true, [], []])
    }
    expect((await check({ instructor_id: id, ...taken, status: 'no_show' })).body.allowed).toBe(false)
  })

  it('merges a change into the stored lesson, and does not count that lesson twice (S79, S80)', async () => {
    const { id } = await school.instructor({ max_daily_units: 2 })
    const lesson = await school.lesson({ instructor_id: id, ...on('08:00', '09:30') })
    expect((await check({ appointment_id: lesson.id, ...on('08:30', '10:00') })).body.allowed).toBe(true)
    expect((await check({ appointment_id: lesson.id, end_at: `${MONDAY} 09:31` })).body).toMatchObject({
      allowed: false,
      refusals: [{ code: 'daily_limit_exceeded' }],
    })
    await school.client.patch(`/instructors/${id}`, { active: false })
    // Changes of status and notes alone check no rule.
    expect((await check({ appointment_id: lesson.id, notes: 'x', status: 'completed' })).body.allowed).toBe(
      true,
    )
    expect((await check({ appointment_id: lesson.id, title: 'x' })).body.allowed).toBe(false)
  })

  it('returns 404 for unknown or deleted ids, and 400 with pointers for invalid fields', async () => {
    const { id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id: id, ...on('08:00', '09:00') })
    const gone = await school.lesson({ instructor_id: id, ...on('10:00', '11:00') })
    await school.client.delete(`/appointments/${gone.id}`)
    const student = await school.student()
    await school.client.delete(`/students/${student.id}`)
    const whole = { instructor_id: id, ...on('12:00', '13:00') }
    const faultsIn = ({ body }: Answer) =>
      body.errors?.map((one: { pointer: string; code: string }) => `${one.pointer} ${one.code}`)
    for (const [fields, status, ...faults] of [
      [{ ...whole, instructor_id: randomUUID() }, 404],
      [{ ...whole, lesson_type_id: randomUUID() }, 404],
      [{ ...whole, student_id: randomUUID() }, 404],
      [{ ...whole, student_id: student.id }, 404],
      [{ appointment_id: randomUUID() }, 404],
      [{ appointment_id: gone.id }, 404],
      [{ appointment_id: lesson.id, student_id: student.id }, 404],
      [{ appointment_id: 'x' }, 400, '/appointment_id invalid_format'],
      [{ appointment_id: lesson.id, end_at: `${MONDAY} 08:00` }, 400, '/end_at wrong_order'],
      [{ appointment_id: lesson.id, version: 1 }, 400, '/version unknown_field'],
      [
        { lesson_type_id: undefined },
        400,
        '/end_at required',
        '/instructor_id required',
        '/lesson_type_id required',
        '/start_at required',
      ],
      [{ ...whole, instructor_id: 'x' }, 400, '/instructor_id invalid_format'],
      [{ ...whole, end_at: `${MONDAY} 12:00` }, 400, '/end_at wrong_order'],
      [{ ...whole, ...on('02:30', '04:00', SUNDAY_OF_SPRING) }, 400, '/start_at skipped_time'],
    ] as const) {
      const answer = await check(fields)
      expect([answer.status, faultsIn(answer)?.sort()], JSON.stringify(fields)).toEqual([
        status,
        status === 400 ? faults : undefined,
      ])
    }
  })
})

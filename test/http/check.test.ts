import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/slot.ts'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const MONDAY = '2030-05-06'
/** The clocks of Berlin jump from 02:00 to 03:00. */
const SUNDAY_OF_SPRING = '2030-03-31'

let school: School
let templates: readonly { readonly id: string; readonly code: string }[]

beforeAll(async () => {
  school = await aSchool(service())
  templates = (await school.client.get('/license-class-templates')).body
})

afterEach(() => service().setClock(undefined))

const on = (start: string, end: string, day = MONDAY) => at(start, end, day)
const type = (code: string) => school.lessonTypes[code]

/** Checks a practice drive; nothing may be written, whatever it says. */
async function check(fields: object): Promise<Answer> {
  const before = await fingerprint(service(), school.tenantId)
  const whole = 'appointment_id' in fields ? fields : { lesson_type_id: type('PRACTICE'), ...fields }
  const answer = await school.client.post('/appointments/check', whole)
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
  return answer
}

const codesIn = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code)

describe('POST /appointments/check', () => {
  it('of what may be booked says so, with the load of its day and week', async () => {
    const { id } = await school.instructor({ max_daily_units: 2, max_daily_override: 6, max_weekly_units: 9 })
    await school.lesson({ instructor_id: id, ...on('08:00', '09:30') })
    const { status, body } = await check({ instructor_id: id, ...on('10:00', '10:45') })
    expect(status).toBe(200)
    expect(body).toEqual({
      allowed: true,
      refusals: [],
      warnings: [],
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

  it('of what may not names every broken rule, in order, and the first is what booking answers', async () => {
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

  it('of a short break says from when on it is long enough, to the minute', async () => {
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

  it('asks no rule of what is or becomes cancelled', async () => {
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

  it('of a change does not count what is changed, and merges it first', async () => {
    const { id } = await school.instructor({ max_daily_units: 2 })
    const lesson = await school.lesson({ instructor_id: id, ...on('08:00', '09:30') })
    expect((await check({ appointment_id: lesson.id, ...on('08:30', '10:00') })).body.allowed).toBe(true)
    expect((await check({ appointment_id: lesson.id, end_at: `${MONDAY} 09:31` })).body).toMatchObject({
      allowed: false,
      refusals: [{ code: 'daily_limit_exceeded' }],
    })
    await school.client.patch(`/instructors/${id}`, { active: false })
    // Status and notes alone ask no rule, as in a change.
    expect((await check({ appointment_id: lesson.id, notes: 'x', status: 'completed' })).body.allowed).toBe(
      true,
    )
    expect((await check({ appointment_id: lesson.id, title: 'x' })).body.allowed).toBe(false)
  })

  it('refuses as booking and changing do', async () => {
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

describe('alternatives', () => {
  const startsIn = ({ body }: Answer) => body.alternatives.map(({ start_at }: Slot) => start_at.slice(5))

  it('are the nearest in time, on the quarters of the hour, at the same length, without overrides', async () => {
    const { id } = await school.instructor({ max_daily_units: 3, max_daily_override: 9 })
    const lesson = await school.lesson({ instructor_id: id, ...on('10:00', '11:00') })
    const asked = await check({ instructor_id: id, ...on('10:10', '11:10') })
    expect(startsIn(asked)).toEqual(['05-06 11:00', '05-06 11:15', '05-06 09:00'])
    for (const { start_at, end_at, instructor_id, overrides_used } of asked.body.alternatives) {
      expect([Date.parse(end_at) - Date.parse(start_at), overrides_used]).toEqual([3_600_000, []])
      const booked = await school.lesson({ instructor_id, start_at, end_at })
      await school.client.delete(`/appointments/${booked.id}`)
    }
    // More than the three units of that day; what starts late the day before is that day's.
    const longer = await check({ instructor_id: id, ...on('10:00', '11:20') })
    expect(startsIn(longer)).toEqual(['05-05 23:45', '05-05 23:30', '05-05 23:15'])
    const { id: busy } = await school.instructor()
    await school.lesson({ instructor_id: busy, ...on('09:00', '12:00') })
    const moved = await check({ appointment_id: lesson.id, instructor_id: busy })
    expect(startsIn(moved)).toEqual(['05-06 08:00', '05-06 12:00', '05-06 07:45'])
  })

  it('lie two weeks away at most', async () => {
    const { id } = await school.instructor({
      vacations: [{ start_date: '2030-04-22', end_date: '2030-05-19' }],
      license_classes: ['B'],
    })
    const near = await check({ instructor_id: id, ...on('10:00', '11:00') })
    expect(startsIn(near)).toEqual(['05-20 00:00', '05-20 00:15', '05-20 00:30'])
    expect(near.body.alternatives[0].instructor_id).toBe(id)
  })

  it('do not lie in the past of what is asked for the future', async () => {
    service().setClock(new Date('2030-05-06T07:00:00Z'))
    const { client, ...later } = await aSchool(service())
    const body = {
      instructor_id: (await client.post('/instructors', { first_name: 'x', last_name: 'x' })).body.id,
      lesson_type_id: later.lessonTypes.PRACTICE,
    }
    await client.post('/appointments', { ...body, ...on('09:15', '10:00') })
    const today = await client.post('/appointments/check', { ...body, ...on('09:30', '09:45') })
    expect(startsIn(today)).toEqual(['05-06 09:00', '05-06 10:00', '05-06 10:15'])
    const past = await client.post('/appointments/check', { ...body, ...on('08:55', '09:30') })
    expect(startsIn(past)).toEqual(['05-06 08:30', '05-06 08:15', '05-06 08:00'])
  })

  it('are of others who teach the class only where the one asked for has none', async () => {
    const empty = await aSchool(service())
    const template = (await empty.client.get('/license-class-templates')).body.find(
      ({ code }: { code: string }) => code === 'B',
    )
    const gone = await empty.instructor({ active: false, license_classes: ['B'] })
    await empty.instructor({ last_name: 'Adler', license_classes: ['A'] })
    const teacher = await empty.instructor({ last_name: 'Busch', license_classes: ['B'] })
    const student = await empty.student({ license_class_template_id: template.id })
    const body = {
      instructor_id: gone.id,
      student_id: student.id,
      lesson_type_id: empty.lessonTypes.PRACTICE,
      ...on('10:00', '11:00'),
    }
    const answer = await empty.client.post('/appointments/check', body)
    expect(codesIn(answer.body.refusals)).toEqual(['instructor_inactive'])
    expect(startsIn(answer)).toEqual(['05-06 10:00', '05-06 09:45', '05-06 10:15'])
    for (const { instructor_id } of answer.body.alternatives) expect(instructor_id).toBe(teacher.id)
  })
})

describe('warnings', () => {
  it('never refuse, and say what a person should know', async () => {
    const car = templates.find(({ code }) => code === 'B')
    const { id: instructor_id } = await school.instructor({ license_classes: ['A', 'A1'] })
    const student = await school.student({ license_class_template_id: car?.id })
    const lesson = { instructor_id, student_id: student.id }
    const { body } = await check({
      ...lesson,
      lesson_type_id: type('SIMULATOR'),
      ...on('08:00', '09:00', '2020-05-04'),
    })
    expect(body.allowed).toBe(true)
    expect(body.warnings).toEqual([
      { code: 'in_the_past', params: { now: expect.any(String) } },
      { code: 'class_not_taught', params: { license_class: 'B', license_classes: ['A', 'A1'] } },
      {
        code: 'not_required',
        params: { lesson_type_id: type('SIMULATOR'), license_class_template_id: car?.id },
      },
    ])
    expect((await check({ ...lesson, ...on('08:00', '09:00') })).body.warnings.length).toBe(1)
    expect((await check({ instructor_id, ...on('08:00', '09:00', '2020-05-04') })).body.warnings.length).toBe(
      1,
    )
  })

  it('say when a requirement is met by what was had and is planned, without the lesson itself', async () => {
    const car = templates.find(({ code }) => code === 'B')
    const { id: instructor_id } = await school.instructor({ license_classes: ['B'] })
    const student = await school.student({ license_class_template_id: car?.id })
    const night = { instructor_id, student_id: student.id, lesson_type_id: type('NIGHT') }
    const book = (start: string, end: string, status: string) =>
      school.lesson({ ...night, ...on(start, end), status })
    await book('18:00', '19:40', 'completed')
    await book('20:00', '20:45', 'cancelled')
    await book('21:00', '21:44', 'planned')
    expect((await check({ ...night, ...on('22:00', '22:45') })).body.warnings).toEqual([])
    const last = await book('22:00', '22:45', 'planned')
    const met = (await check({ ...night, ...on('23:00', '23:45') })).body.warnings
    expect(met).toEqual([
      {
        code: 'requirement_already_met',
        params: { lesson_type_id: type('NIGHT'), required_units: 3, done_units: 2, planned_units: 1 },
      },
    ])
    expect((await check({ appointment_id: last.id, ...on('23:00', '23:45') })).body.warnings).toEqual([])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { type RandomInteger, randomIntegers } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { type StoredLesson, storeLessons } from '../support/stored-lessons.ts'

const service = useService()
const MONDAY = '2031-03-03'
const NOW = new Date(`${MONDAY}T05:00:00Z`)
beforeAll(() => service().setClock(NOW))
afterAll(() => service().setClock(undefined))

const timeOf = (day: number, minute: number) => {
  const [date, left] = [daysLater(MONDAY, day + Math.floor(minute / 1440)), minute % 1440]
  return `${date} ${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`
}
const timesOf = (day: number, minute: number, minutes: number) => ({
  start_at: timeOf(day, minute),
  end_at: timeOf(day, minute + minutes),
})

describe('restoring a student with 2,000 lessons', () => {
  const LESSONS = 2_000
  const A_DAY = 8

  it('plans all lessons again that are still possible, in one request', async () => {
    const school = await aSchool(service())
    const instructors = await Promise.all([school.instructor(), school.instructor()])
    const { id: student_id } = await school.student()
    const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
    const lessons = Array.from({ length: LESSONS }, (_, at) => ({
      instructor_id: instructors[at % 2]?.id ?? '',
      student_id,
      lesson_type_id,
      status: 'planned',
      ...timesOf(1 + Math.floor(at / A_DAY), 480 + (at % A_DAY) * 60, 60),
    }))
    await storeLessons(service(), school, lessons)
    expect((await school.client.delete(`/students/${student_id}`)).status).toBe(204)
    const taken = [10, 700, 1_990].map((at) => lessons[at] as StoredLesson)
    for (const { status: _, ...lesson } of taken) await school.lesson({ ...lesson, student_id: null })
    const { status, body } = await school.client.post(`/students/${student_id}/restore`)
    expect([status, body.restored?.length]).toEqual([200, LESSONS - taken.length])
    expect(body.refused.map(({ code, params }: Row) => [code, (params as Row).start_at])).toEqual(
      taken.map(({ start_at }) => ['instructor_busy', start_at]),
    )
    const planned = await school.client.get(`/appointments?student_id=${student_id}&status=planned`)
    expect(new Set(planned.body.map(({ id }: Row) => id))).toEqual(new Set(body.restored))
  })
})

describe('restoring a student', () => {
  const REFUSES = 'refuses the same lessons as booking them one by one (seed %i)'
  it.each([1])(REFUSES, refusesTheSame)
  it.each([2, 3, 4])(REFUSES, { tags: 'long' }, refusesTheSame)

  async function refusesTheSame(seed: number): Promise<void> {
    const [restored, booked] = [await aScene(randomIntegers(seed)), await aScene(randomIntegers(seed))]
    const { status, body } = await restored.school.client.post(`/students/${restored.student_id}/restore`)
    expect(status).toBe(200)
    const outcomes = await outcomesOf(body, restored)
    expect(outcomes).toEqual(await outcomesOfBooking(booked))
    const kinds = outcomes.map((one) => ('code' in one ? 'refused' : 'planned'))
    expect([...new Set(kinds)].toSorted()).toEqual(['planned', 'refused'])
  }

  it('leaves lessons cancelled that have begun since the deletion', async () => {
    const school = await aSchool(service())
    const { id: instructor_id } = await school.instructor()
    const { id: student_id } = await school.student()
    const past = await school.lesson({ instructor_id, student_id, ...timesOf(1, 600, 60) })
    const coming = await school.lesson({ instructor_id, student_id, ...timesOf(2, 600, 60) })
    await school.client.delete(`/students/${student_id}`)
    await storedAs(school, past.id, timesOf(-1, 600, 60))
    const { body } = await school.client.post(`/students/${student_id}/restore`)
    expect(body).toMatchObject({
      restored: [coming.id],
      refused: [{ appointment_id: past.id, code: 'already_begun' }],
    })
    const { body: left } = await school.client.get(`/appointments/${past.id}`)
    expect(left).toMatchObject({ status: 'cancelled', cancellation: { by: 'school' } })
    await school.client.delete(`/students/${student_id}`)
    const again = await school.client.post(`/students/${student_id}/restore`)
    expect(again.body).toMatchObject({ restored: [coming.id], refused: [] })
  })

  it('considers a stretch that begins weeks before a lesson', async () => {
    const school = await aSchool(service())
    const { id: instructor_id } = await school.instructor()
    const { id: student_id } = await school.student()
    const { id } = await school.lesson({ instructor_id, student_id, ...timesOf(21, 0, 60) })
    for (const day of times(21)) await school.lesson({ instructor_id, ...timesOf(day, 0, 1430) })
    await school.client.delete(`/students/${student_id}`)
    await school.client.patch(`/instructors/${instructor_id}`, { max_continuous_minutes: 1440 })
    const { body } = await school.client.post(`/students/${student_id}/restore`)
    const params = {
      minutes: 21 * 1440 + 60,
      limit_minutes: 1440,
      start_at: timeOf(0, 0),
      end_at: timeOf(21, 60),
    }
    expect(body.refused).toEqual([{ appointment_id: id, code: 'continuous_minutes_exceeded', params }])
  })
})

/** A school with a deleted student. Later bookings of others and changed rules conflict with some of the student's lessons. */
type Scene = {
  readonly school: School
  readonly instructors: readonly string[]
  readonly student_id: string
  /** The student's lessons by start. */
  readonly lessons: readonly Row[]
}

const DAYS = 16
const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const aTime = (random: RandomInteger) => timesOf(1 + random(DAYS), 360 + 15 * random(60), 30 + 15 * random(8))

async function aScene(random: RandomInteger): Promise<Scene> {
  const school = await aSchool(service())
  const instructors: string[] = []
  for (const _ of times(3)) instructors.push((await school.instructor()).id)
  const { id: student_id } = await school.student()
  const someone = () => ({ instructor_id: instructors[random(3)] ?? '', ...aTime(random) })
  const lessons: Row[] = []
  for (const _ of times(50)) {
    const { status, body } = await school.book({ ...someone(), student_id })
    if (status === 201) lessons.push(body)
  }
  await school.client.delete(`/students/${student_id}`)
  for (const _ of times(20)) await school.book(someone())
  for (const id of instructors) await school.client.patch(`/instructors/${id}`, someRules(random))
  const byStart = lessons.toSorted((a, b) => (String(a.start_at) < String(b.start_at) ? -1 : 1))
  return { school, instructors, student_id, lessons: byStart }
}

/** Returns rules that reject some lessons of a full week and allow others. */
function someRules(random: RandomInteger) {
  const holiday = daysLater(MONDAY, 1 + random(DAYS))
  return {
    max_daily_units: 4 + random(6),
    max_daily_override: random(2) ? null : 12,
    max_weekly_units: 15 + random(20),
    max_weekly_override: random(2) ? null : 60,
    required_break_minutes: 15 * random(3),
    max_continuous_minutes: random(2) ? null : 180 + 15 * random(20),
    vacations: [{ start_date: holiday, end_date: holiday, note: null }],
    availability_windows: times(6).map((day) => ({ weekday: day + 1, start: '06:00', end: '20:00' })),
  }
}

/** A lesson's outcome, without ids, which differ between the two schools. */
type OutcomeOfLesson =
  | { readonly start_at: unknown; readonly overrides_used: unknown }
  | { readonly start_at: unknown; readonly code: unknown; readonly params: unknown }

function refusalOf({ start_at }: Row, { code, params }: { code: unknown; params: object }): OutcomeOfLesson {
  const numbers = Object.entries(params).filter(([name]) => !name.endsWith('_id'))
  return { start_at, code, params: Object.fromEntries(numbers) }
}

async function outcomesOf(body: Row, { school, lessons }: Scene): Promise<OutcomeOfLesson[]> {
  const refused = body.refused as { appointment_id: string; code: string; params: object }[]
  const restored = body.restored as string[]
  expect([...restored, ...refused.map((one) => one.appointment_id)].toSorted()).toEqual(
    lessons.map(({ id }) => id).toSorted(),
  )
  return Promise.all(
    lessons.map(async (lesson) => {
      const stored = (await school.client.get(`/appointments/${lesson.id}`)).body
      const refusal = refused.find(({ appointment_id }) => appointment_id === lesson.id)
      expect(stored.status).toBe(refusal ? 'cancelled' : 'planned')
      if (refusal) return refusalOf(lesson, refusal)
      return { start_at: lesson.start_at, overrides_used: stored.overrides_used }
    }),
  )
}

/** Books the lessons for another student. Returns their outcomes. */
async function outcomesOfBooking({ school, lessons }: Scene): Promise<OutcomeOfLesson[]> {
  const { id: student_id } = await school.student()
  const outcomes: OutcomeOfLesson[] = []
  for (const lesson of lessons) {
    const { instructor_id, start_at, end_at } = lesson
    const { status, body } = await school.book({ instructor_id, student_id, start_at, end_at })
    if (status === 201) outcomes.push({ start_at, overrides_used: body.overrides_used })
    else outcomes.push(refusalOf(lesson, body))
  }
  return outcomes
}

/** Moves a stored lesson without the rules, in place of days that pass. */
async function storedAs({ tenantId }: School, id: string, times: ReturnType<typeof timesOf>): Promise<void> {
  await sql`update appointments set start_at = ${times.start_at}, end_at = ${times.end_at}
    where tenant_id = ${tenantId} and id = ${id}`.execute(service().db)
}

// @module-tag embedded: sums, windows and grouping sets are computed by the database

import { expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import type { LessonType } from '../../src/contract/lesson-type.ts'
import { dateOf, dayOf, daysLater, mondayOf, weekNumberOf } from '../../src/domain/local-time.ts'
import { actualMinutesOf, actualTimesOf } from '../../src/domain/worked.ts'
import { randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { aNumberedSchool, type NumberedSchool, TODAY } from '../support/numbered-school.ts'

const service = useService()
const PERIODS = [
  ['2026-01-01', '2026-12-31'],
  ['2026-03-29', '2026-03-29'],
  ['2026-10-21', '2026-11-25'],
  // The halves in which a year is summed up meet among lessons.
  ['2026-04-27', '2027-04-26'],
] as const
const SEEDS = [SEED, SEED + 1]
const MAX_MS = 120_000

// biome-ignore lint/suspicious/noExplicitAny: rows of nine kinds
type Any = any

const get = async ({ school }: NumberedSchool, path: string): Promise<Any> =>
  must(200, await school.client.get(path.replace('/api/v1', '')))

/** Returns all pages of the rows at an address. */
async function rowsAt(given: NumberedSchool, address: string): Promise<Any[]> {
  const all: Any[] = []
  const join = address.includes('?') ? '&' : '?'
  for (let path: string | undefined = `${address}${join}limit=40`; path; ) {
    const answer = await given.school.client.get(path.replace('/api/v1', ''))
    all.push(...must(200, answer))
    path = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  expect(all).toEqual(await get(given, address))
  return all
}

const sumOf = (rows: readonly Any[]) => rows.reduce((sum, { minutes }) => sum + minutes, 0)
const weekOf = (date: string) => {
  const year = daysLater(mondayOf(date), 3).slice(0, 4)
  return `${year}-W${String(weekNumberOf(date)).padStart(2, '0')}`
}

type Facts = {
  readonly lessons: readonly Appointment[]
  readonly categoryOf: (id: string) => string
  readonly timezone: string
}

async function factsOf(given: NumberedSchool): Promise<Facts> {
  const lessons: Appointment[] = await get(given, '/appointments?from=2026-01-01&to=2027-12-31')
  const types: LessonType[] = await get(given, '/lesson-types')
  const categories = new Map(types.map(({ id, category }) => [id, category]))
  const { timezone } = await get(given, '/tenant')
  return { lessons, categoryOf: (id) => categories.get(id) ?? '', timezone }
}

/** Returns the lessons of a period by their actual start. */
function lessonsIn({ lessons }: Facts, from: string, to: string): readonly Appointment[] {
  return lessons.filter((one) => {
    const date = dateOf(actualTimesOf(one).start_at)
    return from <= date && date <= to
  })
}

it.each(SEEDS)(
  'worked minutes, types and missed lessons equal their rows and a count by hand (%i)',
  async (seed) => {
    const given = await aNumberedSchool(service(), randomIntegers(seed))
    const facts = await factsOf(given)
    for (const [from, to] of PERIODS) {
      const numbers = await get(given, `/numbers?from=${from}&to=${to}`)
      const all = lessonsIn(facts, from, to)
      const done = all.filter(({ status }) => status === 'completed')
      const minutes = (some: readonly Appointment[]) =>
        some.reduce((sum, one) => sum + actualMinutesOf(one, facts.timezone), 0)
      let checked = 0
      for (const one of numbers.use) {
        const own = done.filter(
          (lesson) =>
            lesson.instructor_id === one.instructor_id && weekOf(actualTimesOf(lesson).start_at) === one.week,
        )
        expect(one.worked_minutes).toBe(minutes(own))
        if (one.worked_minutes > 0 && checked++ < 3)
          expect(sumOf(await rowsAt(given, one.rows))).toBe(one.worked_minutes)
      }
      expect(numbers.use.reduce((sum: number, one: Any) => sum + one.worked_minutes, 0)).toBe(minutes(done))
      const types = Map.groupBy(done, ({ lesson_type_id }) => lesson_type_id)
      expect(new Set(numbers.by_type.map((one: Any) => one.lesson_type_id))).toEqual(new Set(types.keys()))
      for (const one of numbers.by_type) {
        const own = types.get(one.lesson_type_id) ?? []
        expect([one.count, one.minutes]).toEqual([own.length, minutes(own)])
        const rows = await rowsAt(given, one.rows)
        expect([rows.length, sumOf(rows)]).toEqual([one.count, one.minutes])
      }
      const { rows, ...missed } = numbers.missed
      const cancelled = all.filter(({ status }) => status === 'cancelled')
      const byStudent = cancelled.filter(({ cancellation }) => cancellation?.by === 'student')
      expect(missed).toEqual({
        no_show: all.filter(({ status }) => status === 'no_show').length,
        cancelled_late: byStudent.filter(({ cancellation }) => cancellation?.is_late).length,
        cancelled_in_time: byStudent.filter(({ cancellation }) => !cancellation?.is_late).length,
        by_school: cancelled.length - byStudent.length,
      })
      for (const kind of Object.keys(missed))
        expect(await rowsAt(given, rows[kind])).toHaveLength(missed[kind])
    }
  },
  MAX_MS,
)

/** Returns the results of tests by student, as every student has one enrolment, in order. */
function testsOf({ lessons, categoryOf }: Facts) {
  return lessons
    .filter(({ exam_result, status }) => exam_result !== null && status !== 'cancelled')
    .map(({ id, student_id, start_at, exam_result, lesson_type_id }) => ({
      id,
      student_id: student_id ?? '',
      date: dateOf(start_at),
      at: start_at,
      passed: exam_result?.passed,
      test: categoryOf(lesson_type_id) === 'theory_exam' ? 'theory' : 'practical',
    }))
    .toSorted((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id))
}

function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low * (1 - (place % 1)) + high * (place % 1)
}

it.each(SEEDS)('tests and the days before them equal their rows and a count by hand (%i)', async (seed) => {
  const given = await aNumberedSchool(service(), randomIntegers(seed))
  const tests = testsOf(await factsOf(given))
  const enrolments = new Map<string, Any>()
  const movedIn = new Set<string>()
  for (const id of given.students) {
    enrolments.set(id, (await get(given, `/students/${id}/enrolments`))[0])
    if ((await get(given, `/students/${id}/opening-balance`)).length > 0) movedIn.add(id)
  }
  for (const [from, to] of PERIODS) {
    const numbers = await get(given, `/numbers?from=${from}&to=${to}`)
    const isIn = ({ date }: { date: string }) => from <= date && date <= to
    const keyOf = ({ student_id, test }: Any) => `${student_id} ${test}`
    const seen = Map.groupBy(tests, keyOf)
    const judged = tests.map((one) => {
      const own = seen.get(keyOf(one)) ?? []
      const { license_class, begins_on } = enrolments.get(one.student_id)
      const attempt = own[0] === one ? 'first' : 'repeat'
      const isPass = own.find(({ passed }) => passed) === one && !movedIn.has(one.student_id)
      return { ...one, license_class, attempt, days: isPass ? dayOf(one.date) - dayOf(begins_on) : null }
    })
    const taken = judged.filter(isIn)
    expect(numbers.passed.reduce((sum: number, one: Any) => sum + one.taken, 0)).toBe(taken.length)
    for (const { license_class, test, attempt, ...one } of numbers.passed) {
      const own = taken.filter(
        (t) => t.license_class === license_class && t.test === test && t.attempt === attempt,
      )
      const rows = await rowsAt(given, one.rows)
      expect([one.taken, one.passed]).toEqual([own.length, own.filter(({ passed }) => passed).length])
      expect(rows.map(({ appointment_id }) => appointment_id).toSorted()).toEqual(
        own.map(({ id }) => id).toSorted(),
      )
    }
    for (const { license_class, test, ...one } of numbers.to_test) {
      const days = taken
        .filter((t) => t.license_class === license_class && t.test === test)
        .flatMap((t) => t.days ?? [])
        .toSorted((a, b) => a - b)
      const rows = await rowsAt(given, one.rows)
      expect(rows.map((row) => row.days).toSorted((a, b) => a - b)).toEqual(days)
      expect(one.n).toBe(days.length)
      if (days.length === 0) expect([one.median_days, one.quarter_days]).toEqual([null, null])
      else {
        expect(one.median_days).toBeCloseTo(quantile(days, 0.5))
        expect(one.quarter_days[0]).toBeCloseTo(quantile(days, 0.25))
        expect(one.quarter_days[1]).toBeCloseTo(quantile(days, 0.75))
      }
    }
  }
})

it.each(SEEDS)(
  'the lists of students equal what progress, readiness and the calendar say (%i)',
  async (seed) => {
    const given = await aNumberedSchool(service(), randomIntegers(seed))
    const { lessons, categoryOf } = await factsOf(given)
    const { lists } = await get(given, `/numbers?from=${TODAY}&to=${TODAY}`)
    const students: readonly (Row & { readiness: Any })[] = await get(given, '/students?with=readiness')
    const since = daysLater(TODAY, -21)
    const expected = { no_lesson: [] as string[], special_owed: [] as string[], ready: [] as string[] }
    for (const { id, readiness } of students) {
      const own = lessons.filter(({ student_id }) => student_id === id)
      const [enrolment] = await get(given, `/students/${id}/enrolments`)
      const hasRecent = own.some(
        (one) =>
          (one.status === 'completed' && dateOf(one.start_at) >= since) ||
          (one.status === 'planned' && one.start_at >= nowOf(given)),
      )
      if (enrolment.begins_on <= since && !hasRecent && enrolment.outcome === null)
        expected.no_lesson.push(id)
      const isPlanned = own.some(
        (one) => one.status === 'planned' && categoryOf(one.lesson_type_id) === 'practical_exam',
      )
      const { requirements } = await get(given, `/students/${id}/progress`)
      const owed = requirements.filter(
        (one: Any) => categoryOf(one.lesson_type_id) === 'special' && one.open_units > 0,
      )
      if ((readiness.theory_test === true || isPlanned) && owed.length > 0) expected.special_owed.push(id)
      if (readiness.ready && !isPlanned) expected.ready.push(id)
    }
    for (const [name, ids] of Object.entries(expected)) {
      const rows = await rowsAt(given, lists[name].rows)
      expect(rows.map(({ student_id }) => student_id).toSorted(), name).toEqual(ids.toSorted())
      expect(lists[name].count).toBe(ids.length)
    }
  },
  MAX_MS,
)

const nowOf = (_: NumberedSchool) => `${TODAY} 11:00`

it.each(SEEDS)(
  'free minutes equal their rows, and fit into the hours minute by minute (%i)',
  async (seed) => {
    const given = await aNumberedSchool(service(), randomIntegers(seed))
    const { lessons } = await factsOf(given)
    const numbers = await get(given, `/numbers?from=${TODAY}&to=${TODAY}`)
    const rows = await rowsAt(given, '/numbers/free')
    expect(numbers.free.length).toBeGreaterThan(0)
    for (const one of numbers.free) expect(sumOf(await rowsAt(given, one.rows))).toBe(one.minutes)
    expect(numbers.free.reduce((sum: number, one: Any) => sum + one.minutes, 0)).toBe(sumOf(rows))
    for (const { instructor_id, date, minutes } of rows) {
      const [adler, berg] = given.instructors
      expect([adler, berg]).toContain(instructor_id)
      const start = instructor_id === adler ? 420 : 540
      const end = new Date(`${date}T00:00Z`).getUTCDay() === 6 ? 720 : 1080
      const busy = lessons.filter((one) => one.instructor_id === instructor_id && one.status !== 'cancelled')
      let free = 0
      for (let minute = start; minute < end; minute += 1) {
        const at = `${date} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        if (!busy.some((one) => one.start_at <= at && at < one.end_at)) free += 1
      }
      expect(minutes).toBeLessThanOrEqual(free)
      expect([
        '2026-12-02',
        ...(instructor_id === adler ? ['2026-12-07', '2026-12-08', '2026-12-09'] : []),
      ]).not.toContain(date)
    }
  },
  MAX_MS,
)

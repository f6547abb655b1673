import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { type Verdict, verdictOn } from '../../domain/booking.ts'
import { proposalFor } from '../../domain/counted.ts'
import { type Interval, intervalOf, overlaps } from '../../domain/interval.ts'
import { calendarOf } from '../../domain/listed-calendar.ts'
import {
  dateOf,
  dayOf,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOf,
  mondayOf,
} from '../../domain/local-time.ts'
import { containsStretch, surroundingsOf, surroundingsOfWeek, widened } from '../../domain/surroundings.ts'
import { type Scene, scenes, schoolWith } from './random-school.test-support.ts'
import { type LessonDraft, localVerdictFor, missingFieldIn, verdictFor } from './verdict.ts'

const RUNS = { numRuns: 500 }

const MONDAY_MORNING: LessonDraft = {
  instructor_id: 'one',
  student_id: null,
  lesson_type_id: 'counted',
  start_at: '2026-03-30 08:00',
  end_at: '2026-03-30 09:00',
}

const within = (all: readonly Appointment[], range: Interval) =>
  all.filter((one) => overlaps(intervalOf(one), range))

const weekOf = (all: readonly Appointment[], monday: LocalDate) =>
  within(all, surroundingsOfWeek(dayOf(monday)))

/** Returns the verdict of the service, which loads the proposal's surroundings, and more until the stretch is whole. */
function verdictOfService({ school, all, draft }: Scene): Verdict | undefined {
  const person = school.instructor.get(draft.instructor_id)
  if (!person) return undefined
  const books = {
    unit_minutes: school.tenant.unit_minutes,
    rulesOf: () => ({ rules: person }),
    lessonTypes: school.lessonType,
    things: school.vehicle,
    closed: school.days?.closed,
  }
  for (let range = surroundingsOf(intervalOf(draft)); ; range = widened(range)) {
    const agenda = calendarOf({ ...books, appointments: within(all, range) }, draft.id).agendaFor(draft)
    if (containsStretch(agenda, draft, range)) {
      return verdictOn(proposalFor(draft, school.lessonType), agenda)
    }
  }
}

/** Returns the verdict based on the single week that the board has loaded. */
function verdictOfWeek({ school, all, draft }: Scene): Verdict | undefined {
  const monday = mondayOf(dateOf(draft.start_at))
  return verdictFor(draft, { lessons: weekOf(all, monday), range: surroundingsOfWeek(dayOf(monday)) }, school)
}

describe('the verdict of the browser', () => {
  it('equals that of the service whenever the loaded week is enough', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const verdict = verdictOfWeek(scene)
        if (verdict) expect(verdict).toEqual(verdictOfService(scene))
      }),
      RUNS,
    )
  })

  it('equals that of the service once all requested weeks are loaded', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { verdict } = localVerdictFor(scene.draft, scene.school, (monday) => weekOf(scene.all, monday))
        expect(verdict).toEqual(verdictOfService(scene))
      }),
      RUNS,
    )
  })

  it('equals that of the service if all appointments are loaded', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const range = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
        const verdict = verdictFor(scene.draft, { lessons: scene.all, range }, scene.school)
        expect(verdict).toEqual(verdictOfService(scene))
      }),
      RUNS,
    )
  })

  it('needs only the week for most lessons, and neighbouring weeks for some', () => {
    const verdicts = fc.sample(scenes, { ...RUNS, seed: 1 }).map(verdictOfWeek)
    const given = verdicts.filter((verdict) => verdict !== undefined)
    expect(given.length).toBeGreaterThan(RUNS.numRuns / 2)
    expect(given.length).toBeLessThan(RUNS.numRuns - 25)
    expect(given.filter(({ refusals }) => refusals.length === 0).length).toBeGreaterThan(25)
  })

  it('is undefined if the loaded range does not contain the surroundings of the lesson', () => {
    const school = schoolWith([{ max_continuous_minutes: null }])
    const known = (monday: LocalDate) => ({ lessons: [], range: surroundingsOfWeek(dayOf(monday)) })
    expect(verdictFor(MONDAY_MORNING, known('2026-03-30'), school)).toBeDefined()
    expect(verdictFor(MONDAY_MORNING, known('2026-03-23'), school)).toBeUndefined()
    expect(verdictFor(MONDAY_MORNING, known('2026-04-06'), school)).toBeUndefined()
  })

  it('is undefined for an unknown instructor', () => {
    const [{ draft, school }] = fc.sample(scenes, { numRuns: 1, seed: 1 }) as [Scene]
    const nobody = { ...draft, instructor_id: 'nobody' }
    expect(localVerdictFor(nobody, school, () => [])).toMatchObject({ verdict: undefined })
  })
})

describe('a stretch that extends beyond its week', () => {
  const school = schoolWith([{ max_daily_units: 99, max_continuous_minutes: 1440 }])
  /** Lessons from Friday evening to Monday morning without a break. Monday's week is loaded from Saturday on. */
  const nights = ['27 20:00', '28 20:00', '29 20:00'].map(
    (start, index): Appointment => ({
      ...example.appointment,
      ...MONDAY_MORNING,
      status: 'planned',
      id: `${index}`,
      start_at: `2026-03-${start}`,
      end_at: localDateTimeFor(minuteOf(`2026-03-${start}`) + (index === 2 ? 12 * 60 : MINUTES_PER_DAY)),
    }),
  )

  it('needs the neighbouring weeks and has a verdict once they are loaded', () => {
    const read = new Map([['2026-03-30', weekOf(nights, '2026-03-30')]])
    const before = localVerdictFor(MONDAY_MORNING, school, (monday) => read.get(monday))
    expect(before).toEqual({
      verdict: undefined,
      lessons: [],
      weeks: ['2026-03-30', '2026-03-23', '2026-04-06'],
    })
    for (const monday of before.weeks) read.set(monday, weekOf(nights, monday))
    const { verdict, weeks } = localVerdictFor(MONDAY_MORNING, school, (monday) => read.get(monday))
    expect(weeks).toEqual(before.weeks)
    expect(verdict?.refusals.at(-1)).toMatchObject({
      code: 'continuous_minutes_exceeded',
      params: { start_at: '2026-03-27 20:00', end_at: '2026-03-30 09:00', minutes: 61 * 60 },
    })
  })

  it('needs no other week if max_continuous_minutes is null', () => {
    const free = schoolWith([{ max_continuous_minutes: null }])
    const { verdict, weeks } = localVerdictFor(MONDAY_MORNING, free, (monday) => weekOf(nights, monday))
    expect(verdict).toBeDefined()
    expect(weeks).toEqual(['2026-03-30'])
  })

  it('uses the lessons of its own week for days that two weeks share', () => {
    const outdated = nights.slice(2).map((night) => ({ ...night, id: 'moved meanwhile' }))
    const weeks = new Map([
      ['2026-03-30', weekOf(nights, '2026-03-30')],
      ['2026-03-23', [...weekOf(nights, '2026-03-23'), ...outdated]],
      ['2026-04-06', []],
    ])
    const { lessons } = localVerdictFor(MONDAY_MORNING, school, (monday) => weeks.get(monday))
    expect(lessons.map(({ id }) => id).toSorted()).toEqual(['0', '1', '2'])
  })
})

describe('the missing field of a draft', () => {
  it.each([
    [{}, undefined],
    [{ instructor_id: '' }, 'instructor'],
    [{ lesson_type_id: '' }, 'type'],
    [{ start_at: '', end_at: '' }, 'time'],
    [{ end_at: '2026-03-30 08:00' }, 'wrong_order'],
    [{ end_at: '2026-03-31 08:00' }, undefined],
    [{ end_at: '2026-03-31 08:01' }, 'too_long'],
    [{ start_at: '2026-03-29 02:30', end_at: '2026-03-29 04:00' }, 'skipped_time'],
  ])('with %j is %s', (part, missing) => {
    expect(missingFieldIn({ ...MONDAY_MORNING, ...part }, schoolWith([{}]))).toBe(missing)
  })
})

import fc from 'fast-check'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { dateOf, localDateTimeFor, MINUTES_PER_DAY, minuteOf } from '../../domain/local-time.ts'
import type { LessonDraft, Rules } from './verdict.ts'

/** A school with all its lessons, and a draft to check. */
export type Scene = {
  readonly school: Rules
  readonly all: readonly Appointment[]
  readonly draft: LessonDraft
}

const NOON = minuteOf('2026-04-01 12:00')
const TYPES = ['counted', 'uncounted']
const INSTRUCTORS = ['one', 'other']
const VEHICLES = ['golf', 'polo']

const minutes = (min: number, max: number) =>
  fc.integer({ min: min / 15, max: max / 15 }).map((quarters) => quarters * 15)
const group = fc.subarray(['lena', 'paul', 'mara'], { minLength: 1 }).map((ids) => ({
  student_id: null,
  attendees: ids.map((student_id) => ({ student_id, attended: null })),
}))
const person = fc
  .record({
    instructor_id: fc.constantFrom(...INSTRUCTORS),
    vehicle_ids: fc.oneof({ weight: 2, arbitrary: fc.constant<string[]>([]) }, fc.subarray(VEHICLES)),
    who: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('lena', 'paul', null).map((student_id) => ({ student_id, attendees: [] })),
      },
      { weight: 1, arbitrary: group },
    ),
  })
  .map(({ who, ...others }) => ({ ...others, ...who }))
const link = fc.record({
  length: fc.oneof(minutes(30, 120), minutes(480, MINUTES_PER_DAY)),
  gap: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(0, 10, 14) }, fc.constantFrom(15, 60)),
  lesson_type_id: fc.constantFrom(...TYPES),
  status: fc.oneof<fc.WeightedArbitrary<Appointment['status']>[]>(
    { weight: 12, arbitrary: fc.constantFrom('planned', 'completed', 'no_show') },
    { weight: 1, arbitrary: fc.constant('cancelled') },
  ),
})

/** Consecutive lessons, sometimes over weeks, longer than the week that is loaded. */
const chain = fc
  .record({ person, start: minutes(-21 * MINUTES_PER_DAY, 14 * MINUTES_PER_DAY) })
  .chain(({ person: people, start }) =>
    fc.array(link, { minLength: 1, maxLength: 30, size: 'max' }).map((links) => {
      let at = NOON + start
      return links.map(({ length, gap, lesson_type_id, status }) => {
        const times = { start_at: localDateTimeFor(at), end_at: localDateTimeFor(at + length) }
        at += length + gap
        return { ...people, lesson_type_id, status, ...times }
      })
    }),
  )

const units = (max: number) => fc.option(fc.integer({ min: 0, max }), { freq: 2 })
const instructor = fc.record({
  active: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  max_daily_units: units(24),
  max_daily_override: units(32),
  max_weekly_units: units(90),
  max_weekly_override: units(120),
  required_break_minutes: fc.constantFrom(0, 0, 10, 30, 1440),
  max_continuous_minutes: fc.option(fc.constantFrom(120, 360, 1440), { freq: 6 }),
})

/** The absences of a vehicle, or the days on which the school is closed. */
const times = fc.array(
  fc.record({
    start: minutes(-4 * MINUTES_PER_DAY, 5 * MINUTES_PER_DAY),
    length: minutes(60, 2 * MINUTES_PER_DAY),
  }),
  { maxLength: 2 },
)
const surroundings = fc.record({
  golf: fc.record({
    active: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    times,
  }),
  closed: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, times),
  seats: fc.constantFrom(1, 2, 20),
})

export const scenes: fc.Arbitrary<Scene> = fc
  .record({
    chains: fc.array(chain, { maxLength: 6, size: 'max' }),
    rules: fc.tuple(instructor, instructor),
    who: person,
    lesson_type_id: fc.constantFrom(...TYPES),
    start: minutes(-4 * MINUTES_PER_DAY, 5 * MINUTES_PER_DAY),
    length: fc.oneof({ weight: 4, arbitrary: minutes(15, 180) }, minutes(180, MINUTES_PER_DAY)),
    moved: fc.option(fc.nat(), { freq: 2 }),
    surroundings,
  })
  .map(({ chains, rules, who, lesson_type_id, start, length, moved, surroundings: { seats, ...around } }) => {
    const all = chains.flat().map((one, index) => ({ ...example.appointment, ...one, id: `${index}` }))
    const times = {
      start_at: localDateTimeFor(NOON + start),
      end_at: localDateTimeFor(NOON + start + length),
    }
    const id = moved === null || all.length === 0 ? {} : { id: `${moved % all.length}` }
    const school = { ...schoolWith(rules, seats), ...placesWith(around) }
    return { school, all, draft: { ...who, lesson_type_id, ...times, ...id } }
  })

type Around = { readonly start: number; readonly length: number }

function placesWith(around: {
  readonly golf: { readonly active: boolean; readonly times: readonly Around[] }
  readonly closed: readonly Around[]
}): Pick<Rules, 'vehicle' | 'days'> {
  const absences = around.golf.times.map(({ start, length }) => ({
    start_at: localDateTimeFor(NOON + start),
    end_at: localDateTimeFor(NOON + start + length),
    note: null,
  }))
  const golf: Vehicle = {
    ...example.vehicle,
    kind: 'car',
    gearbox: null,
    id: 'golf',
    active: around.golf.active,
    absences,
  }
  const polo: Vehicle = { ...example.vehicle, kind: 'car', gearbox: null, id: 'polo', absences: [] }
  const closures = around.closed.map(({ start, length }) => ({
    start_date: dateOf(localDateTimeFor(NOON + start)),
    end_date: dateOf(localDateTimeFor(NOON + start + length)),
    note: null,
  }))
  return {
    vehicle: new Map([golf, polo].map((one) => [one.id, one])),
    days: { busy: new Map(), closed: { closures } },
  }
}

/** Returns a school with one instructor for each of `rules`, restricted by those and the example instructor. */
export function schoolWith(rules: readonly Partial<Instructor>[], seats = 20): Rules {
  const open = { ...example.instructor, availability_windows: [], vacations: [] }
  const people = rules.map((rule, index) => ({ ...open, ...rule, id: INSTRUCTORS[index] ?? '' }))
  const types = TYPES.map((id) => ({
    ...example.lessonType,
    id,
    seats,
    counts_toward_limits: id === 'counted',
  }))
  return {
    tenant: example.tenant,
    instructor: new Map(people.map((one) => [one.id, one])),
    lessonType: new Map(types.map((one) => [one.id, one])),
  }
}

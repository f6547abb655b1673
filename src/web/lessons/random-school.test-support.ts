import fc from 'fast-check'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { localDateTimeFor, MINUTES_PER_DAY, minuteOf } from '../../domain/local-time.ts'
import type { Draft, Rules } from './verdict.ts'

/** A school with all its lessons, and what is asked for. */
export type Scene = { readonly school: Rules; readonly all: readonly Appointment[]; readonly draft: Draft }

const NOON = minuteOf('2026-04-01 12:00')
const TYPES = ['counted', 'uncounted']
const INSTRUCTORS = ['one', 'other']

const minutes = (min: number, max: number) =>
  fc.integer({ min: min / 15, max: max / 15 }).map((quarters) => quarters * 15)
const person = fc.record({
  instructor_id: fc.constantFrom(...INSTRUCTORS),
  student_id: fc.constantFrom('lena', 'paul', null),
})
const link = fc.record({
  length: fc.oneof(minutes(30, 120), minutes(480, MINUTES_PER_DAY)),
  gap: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(0, 10, 14) }, fc.constantFrom(15, 60)),
  lesson_type_id: fc.constantFrom(...TYPES),
  status: fc.oneof<fc.WeightedArbitrary<Appointment['status']>[]>(
    { weight: 12, arbitrary: fc.constantFrom('planned', 'completed', 'no_show') },
    { weight: 1, arbitrary: fc.constant('cancelled') },
  ),
})

/** Lessons one after the other, at times for weeks: farther than what is read for a week. */
const chain = fc
  .record({ person, start: minutes(-21 * MINUTES_PER_DAY, 14 * MINUTES_PER_DAY) })
  .chain(({ person: { instructor_id, student_id }, start }) =>
    fc.array(link, { minLength: 1, maxLength: 30, size: 'max' }).map((links) => {
      let at = NOON + start
      return links.map(({ length, gap, lesson_type_id, status }) => {
        const times = { start_at: localDateTimeFor(at), end_at: localDateTimeFor(at + length) }
        at += length + gap
        return { instructor_id, student_id, lesson_type_id, status, ...times }
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

export const scenes: fc.Arbitrary<Scene> = fc
  .record({
    chains: fc.array(chain, { maxLength: 6, size: 'max' }),
    rules: fc.tuple(instructor, instructor),
    who: person,
    lesson_type_id: fc.constantFrom(...TYPES),
    start: minutes(-4 * MINUTES_PER_DAY, 5 * MINUTES_PER_DAY),
    length: fc.oneof({ weight: 4, arbitrary: minutes(15, 180) }, minutes(180, MINUTES_PER_DAY)),
    moved: fc.option(fc.nat(), { freq: 2 }),
  })
  .map(({ chains, rules, who, lesson_type_id, start, length, moved }) => {
    const all = chains.flat().map((one, index) => ({ ...example.appointment, ...one, id: `${index}` }))
    const times = {
      start_at: localDateTimeFor(NOON + start),
      end_at: localDateTimeFor(NOON + start + length),
    }
    const id = moved === null || all.length === 0 ? {} : { id: `${moved % all.length}` }
    return { school: schoolWith(rules), all, draft: { ...who, lesson_type_id, ...times, ...id } }
  })

/** As many instructors as there are rules, whom nothing restricts but what the examples and the rules say. */
export function schoolWith(rules: readonly Partial<Instructor>[]): Rules {
  const open = { ...example.instructor, availability_windows: [], vacations: [] }
  const people = rules.map((rule, index) => ({ ...open, ...rule, id: INSTRUCTORS[index] ?? '' }))
  const types = TYPES.map((id) => ({ ...example.lessonType, id, counts_toward_limits: id === 'counted' }))
  return {
    tenant: example.tenant,
    instructor: new Map(people.map((one) => [one.id, one])),
    lessonType: new Map(types.map((one) => [one.id, one])),
  }
}

import { type Static, Type } from 'typebox'
import { minuteOfDay } from '../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../domain/ranges.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const minutes = field.described(field.integer(APPOINTMENT_MINUTES), 'The length of the lesson in minutes.')
const optionals = {
  weekdays: field.described(
    field.nullable(
      Type.Array(field.integer({ min: 1, max: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
    ),
    'The days of the week, Monday is 1; null for any.',
  ),
  time_from: field.described(
    field.nullable(field.TimeOfDay),
    'The time of day from which the student can come; null for any.',
  ),
  time_to: field.described(
    field.nullable(field.EndOfWindow),
    'The time of day by which the lesson must end; null for any.',
  ),
  lesson_type_id: field.described(field.nullable(field.Id), 'The lesson type; null for any.'),
  instructor_id: field.described(field.nullable(field.Id), 'The instructor; null for any.'),
  from: field.described(
    field.nullable(field.LocalDate),
    'The first day on which the wish holds, `YYYY-MM-DD`; null for no beginning.',
  ),
  until: field.described(
    field.nullable(field.LocalDate),
    'The last day on which the wish holds, `YYYY-MM-DD`; null for no end.',
  ),
}

export const WishSchema = field.resource(
  {
    student_id: field.described(field.Id, 'The student.'),
    weekdays: optionals.weekdays,
    time_from: optionals.time_from,
    time_to: optionals.time_to,
    minutes,
    lesson_type_id: optionals.lesson_type_id,
    instructor_id: optionals.instructor_id,
    from: optionals.from,
    until: optionals.until,
    version: field.Version,
  },
  {
    $id: 'Wish',
    description: 'When a student would like to have a lesson.',
    examples: [example.wish],
  },
)
export type Wish = Static<typeof WishSchema>

export const NewWishSchema = field.closed(
  { minutes, ...field.optionals(optionals) },
  {
    $id: 'NewWish',
    description: 'When the student would like to have a lesson. Only the length is required.',
    examples: [example.newWish],
  },
)
export type NewWish = Static<typeof NewWishSchema>

export function wishFaultsFor(wish: Partial<NewWish>): readonly Fault[] {
  return [...timeFaultsFor(wish), ...dayFaultsFor(wish)]
}

function dayFaultsFor({ from, until }: Partial<NewWish>): readonly Fault[] {
  if (!from || !until || from <= until) return []
  return [{ pointer: '/until', code: 'wrong_order', detail: `until must not be before from, ${from}.` }]
}

/** Returns the faults of hours and of a length that must fit into them. */
export function timeFaultsFor({
  time_from,
  time_to,
  minutes,
}: Pick<Partial<NewWish>, 'time_from' | 'time_to' | 'minutes'>): readonly Fault[] {
  if (!time_to) return []
  const from = time_from ?? '00:00'
  if (time_to <= from)
    return [{ pointer: '/time_to', code: 'wrong_order', detail: `time_to must be after time_from, ${from}.` }]
  const longest = minuteOfDay(time_to) - minuteOfDay(from)
  if (!minutes || minutes <= longest) return []
  const detail = `minutes must be at most ${longest}, from ${from} to ${time_to}.`
  return [{ pointer: '/minutes', code: 'too_long', detail }]
}

import { type Static, Type } from 'typebox'
import { dayOf, daysLater, isLocalDate, type LocalDate, weekdayOf } from '../domain/local-time.ts'
import { APPOINTMENT_MINUTES, LESSONS_A_WEEK, MAX_AVAILABLE_TIMES } from '../domain/ranges.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { timeFaultsFor } from './wish.ts'

const date = field.described(field.LocalDate, 'A day of the week.')
const time_from = field.described(field.TimeOfDay, 'The time of day from which the student can come.')

const AvailableTimeSchema = field.closed(
  {
    date,
    time_from,
    time_to: field.described(field.EndOfWindow, 'The time of day by which the lesson must end.'),
    minutes: field.described(field.integer(APPOINTMENT_MINUTES), 'The length of the lesson in minutes.'),
  },
  { description: 'Hours of one day in which the student can come.' },
)

const answer = {
  lessons: field.described(
    field.integer(LESSONS_A_WEEK),
    'How many lessons the student wants in the week, those that are booked included; 0 is none: not this week.',
  ),
  windows: field.described(
    field.nullable(Type.Array(AvailableTimeSchema, { maxItems: MAX_AVAILABLE_TIMES })),
    "When the student can come, in place of the wishes, by day and time; null for the times of the student's wishes.",
  ),
}

export const NewAvailabilitySchema = field.closed(answer, {
  $id: 'NewAvailability',
  description: 'When the student can come in the week.',
  examples: [example.newAvailability],
})
export type NewAvailability = Static<typeof NewAvailabilitySchema>

export const AvailabilitySchema = field.closed(
  {
    week_start: field.described(field.LocalDate, 'The Monday of the week.'),
    ...answer,
    fits: Type.Array(
      field.closed({
        date,
        time_from,
        possible: Type.Boolean({
          description:
            'Whether a lesson that starts at a quarter of an hour within these hours could be booked now, without an override; false once they have passed.',
        }),
      }),
      {
        description:
          "The hours, in order, and whether a lesson could be booked in them. With `windows: null`, those of the student's wishes in this week.",
      },
    ),
  },
  {
    $id: 'Availability',
    description: 'When a student can come in a week.',
    examples: [
      {
        week_start: '2026-05-04',
        ...example.newAvailability,
        fits: [{ date: '2026-05-06', time_from: '14:00', possible: true }],
      },
    ],
  },
)
export type Availability = Static<typeof AvailabilitySchema>

/** An answer as it is stored and logged. */
export const StoredAvailabilitySchema = field.resource(
  {
    student_id: field.described(field.Id, 'The student.'),
    week_start: field.LocalDate,
    ...answer,
    version: field.Version,
  },
  {},
)
export type StoredAvailability = Static<typeof StoredAvailabilitySchema>

/** Returns the fault of a text that is not the Monday of a week. */
export function weekFaultFor(week_start: string): Fault | undefined {
  if (isLocalDate(week_start) && weekdayOf(dayOf(week_start)) === 1) return undefined
  const detail = 'week_start must be a Monday, `YYYY-MM-DD`.'
  return { pointer: 'week_start', code: 'not_a_monday', detail }
}

/** Returns the faults of an answer for a week. */
export function availabilityFaultsFor(
  week_start: LocalDate,
  { lessons, windows }: NewAvailability,
): readonly Fault[] {
  const last = daysLater(week_start, 6)
  const faults = (windows ?? []).flatMap((window, at) => [
    ...(window.date < week_start || window.date > last ? [strayFault(at, week_start, last)] : []),
    ...timeFaultsFor(window).map((fault) => ({ ...fault, pointer: `/windows/${at}${fault.pointer}` })),
  ])
  if (lessons === 0 || windows === null || windows.length > 0) return faults
  const detail = `windows must have at least one time for ${lessons} lessons, or be null for the wishes.`
  return [{ pointer: '/windows', code: 'required', detail }]
}

function strayFault(at: number, first: LocalDate, last: LocalDate): Fault {
  const detail = `date must be within the week, ${first} to ${last}.`
  return { pointer: `/windows/${at}/date`, code: 'out_of_range', detail }
}

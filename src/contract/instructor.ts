import { type Static, Type } from 'typebox'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { MAX_ABSENCES, MAX_AVAILABILITY_WINDOWS, MAX_VACATIONS, MAX_WEEKS_IN_TURN } from '../domain/ranges.ts'
import { absenceTimeFaultsFor } from './absence-times.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

export const AvailabilityWindowSchema = field.closed(
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'The ISO weekday; Monday is 1.' }),
    start: field.described(field.TimeOfDay, "The start, `HH:MM` of the school's wall clock."),
    end: field.described(
      field.EndOfWindow,
      "The end, `HH:MM` of the school's wall clock, after `start`; `24:00` is midnight.",
    ),
    valid_from: field.optional(
      field.described(
        field.nullable(field.LocalDate),
        'The first date of these hours; null, or left out, if they have none. Both dates are there if either is set.',
      ),
    ),
    valid_to: field.optional(
      field.described(
        field.nullable(field.LocalDate),
        'The last date of these hours; it is included. Null, or left out, if they have none.',
      ),
    ),
    every_weeks: field.optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_WEEKS_IN_TURN,
        description:
          'The hours hold in every n-th ISO week, counted from the week of `valid_from`, which is then required; left out for every week.',
      }),
    ),
  },
  {
    $id: 'AvailabilityWindow',
    description: 'Working hours on one weekday. A day may have several windows, and none crosses midnight.',
  },
)

type AvailabilityWindow = Static<typeof AvailabilityWindowSchema>

export const NewAvailabilityWindows = Type.Array(field.ref(AvailabilityWindowSchema), {
  maxItems: MAX_AVAILABILITY_WINDOWS,
})

const vacationDates = {
  start_date: field.described(field.LocalDate, 'The first day, `YYYY-MM-DD`.'),
  end_date: field.described(field.LocalDate, 'The last day, `YYYY-MM-DD`; it is included.'),
}

export const VacationSchema = field.closed(
  { ...vacationDates, note: field.described(field.nullable(field.Notes), 'A note; null if there is none.') },
  { $id: 'Vacation', description: 'Days on which the instructor is away, both inclusive.' },
)

export const NewVacationSchema = field.closed(
  {
    ...vacationDates,
    note: field.optional(
      field.described(field.nullable(field.Notes), 'A note; null or left out if there is none.'),
    ),
  },
  { $id: 'NewVacation', description: 'Days on which the instructor is away, both inclusive.' },
)

const absenceTimes = {
  start_at: field.LocalDateTime,
  end_at: field.described(field.LocalDateTime, 'The end, after `start_at`; it may lie on another day.'),
}

export const AbsenceSchema = field.closed(
  { ...absenceTimes, note: field.described(field.nullable(field.Notes), 'A note; null if there is none.') },
  { $id: 'Absence', description: 'A time at which the instructor is away; need not be whole days.' },
)

export const NewAbsenceSchema = field.closed(
  {
    ...absenceTimes,
    note: field.optional(
      field.described(field.nullable(field.Notes), 'A note; null or left out if there is none.'),
    ),
  },
  { $id: 'NewAbsence', description: 'A time at which the instructor is away; need not be whole days.' },
)

const scalars = field.schemasOf(INSTRUCTOR_FIELDS)
const { first_name, last_name } = scalars

const optionals = field.optionals({
  ...scalars,
  availability_windows: field.described(
    NewAvailabilityWindows,
    'The weekly working hours; an empty list allows any time on any day. Lists are replaced as a whole.',
  ),
  vacations: field.described(
    Type.Array(field.ref(NewVacationSchema), { maxItems: MAX_VACATIONS }),
    'The days off. Lists are replaced as a whole.',
  ),
  absences: field.described(
    Type.Array(field.ref(NewAbsenceSchema), { maxItems: MAX_ABSENCES }),
    'Absences for parts of days. Lists are replaced as a whole.',
  ),
})

export const InstructorSchema = field.resource(
  {
    ...scalars,
    absences: Type.Array(field.ref(AbsenceSchema), { description: 'Absences for parts of days.' }),
    availability_windows: Type.Array(field.ref(AvailabilityWindowSchema), {
      description: 'The weekly working hours; an empty list allows any time on any day.',
    }),
    vacations: Type.Array(field.ref(VacationSchema), { description: 'The days off.' }),
    version: field.Version,
  },
  {
    $id: 'Instructor',
    description: 'A person who teaches, with limits, working hours, vacations and breaks.',
    examples: [example.instructor],
  },
)
export type Instructor = Static<typeof InstructorSchema>

export const NewInstructorSchema = field.closed(
  { ...optionals, first_name, last_name },
  {
    $id: 'NewInstructor',
    description:
      "Omitted limits, breaks and windows take the school's defaults; null or an empty list means none.",
    examples: [example.newInstructor],
  },
)
export type NewInstructor = Static<typeof NewInstructorSchema>

export const InstructorChangeSchema = field.closed(optionals, {
  $id: 'InstructorChange',
  description: 'Lists are replaced as a whole.',
  examples: [{ vacations: [example.vacation] }],
})
export type InstructorChange = Static<typeof InstructorChangeSchema>

/** Returns the faults of windows, vacations and absences: ends before their start, and times that a clock change skips. */
export function instructorFaultsFor(body: InstructorChange, timezone: string): readonly Fault[] {
  const windows = windowFaultsFor('/availability_windows', body.availability_windows ?? [])
  const vacations = (body.vacations ?? []).flatMap(({ start_date, end_date }, index) =>
    start_date <= end_date
      ? []
      : [orderFault(`/vacations/${index}/end_date`, 'end_date', 'on or after', start_date)],
  )
  return [...windows, ...vacations, ...absenceTimeFaultsFor(body.absences ?? [], timezone)]
}

/** Returns the faults of windows that end before they begin. `pointer` is that of the list. */
export function windowFaultsFor(pointer: string, windows: readonly AvailabilityWindow[]): readonly Fault[] {
  return windows.flatMap(({ start, end, valid_from, valid_to, every_weeks = 1 }, index) => [
    ...(start < end ? [] : [orderFault(`${pointer}/${index}/end`, 'end', 'after', start)]),
    ...(valid_from && valid_to && valid_to < valid_from
      ? [orderFault(`${pointer}/${index}/valid_to`, 'valid_to', 'on or after', valid_from)]
      : []),
    ...(every_weeks > 1 && !valid_from
      ? [uncountedFault(`${pointer}/${index}/valid_from`, every_weeks)]
      : []),
  ])
}

function uncountedFault(pointer: string, everyWeeks: number): Fault {
  const detail = `valid_from is required with every_weeks ${everyWeeks}: the weeks are counted from it.`
  return { pointer, code: 'required', detail }
}

function orderFault(pointer: string, name: string, relation: string, start: string): Fault {
  return { pointer, code: 'wrong_order', detail: `${name} must be ${relation} the start, ${start}.` }
}

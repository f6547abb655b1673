import { type Static, Type } from 'typebox'
import { MOST_AVAILABILITY_WINDOWS, MOST_LICENSE_CLASSES, MOST_VACATIONS } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

export const AvailabilityWindowSchema = field.closed(
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'ISO: Monday is 1.' }),
    start: field.TimeOfDay,
    end: field.EndOfWindow,
  },
  { $id: 'AvailabilityWindow' },
)

type AvailabilityWindow = Static<typeof AvailabilityWindowSchema>

/** A week's windows, as the contract takes them. */
export const NewAvailabilityWindows = Type.Array(field.ref(AvailabilityWindowSchema), {
  maxItems: MOST_AVAILABILITY_WINDOWS,
})

const vacationDates = { start_date: field.LocalDate, end_date: field.LocalDate }

export const VacationSchema = field.closed(
  { ...vacationDates, note: field.nullable(field.Notes) },
  { $id: 'Vacation' },
)

const NewVacationSchema = field.closed(
  { ...vacationDates, note: field.optional(field.nullable(field.Notes)) },
  { $id: 'NewVacation' },
)

const names = { first_name: field.Name, last_name: field.Name }

const scalars = {
  email: field.nullable(field.Email),
  phone: field.nullable(field.Phone),
  phone_2: field.nullable(field.Phone),
  color: field.Color,
  license_classes: Type.Array(field.LicenseClass, {
    maxItems: MOST_LICENSE_CLASSES,
    uniqueItems: true,
    examples: [['B', 'BE']],
  }),
  active: Type.Boolean(),
  max_daily_units: field.nullable(field.DailyUnits),
  max_daily_override: field.nullable(field.DailyUnits),
  max_weekly_units: field.nullable(field.WeeklyUnits),
  max_weekly_override: field.nullable(field.WeeklyUnits),
  required_break_minutes: field.BreakMinutes,
  max_continuous_minutes: field.nullable(field.ContinuousMinutes),
}

const optionals = field.optionals({
  ...scalars,
  availability_windows: NewAvailabilityWindows,
  vacations: Type.Array(field.ref(NewVacationSchema), { maxItems: MOST_VACATIONS }),
})

/** Someone who teaches, with limits, windows, vacations and breaks. */
export const InstructorSchema = field.resource(
  {
    ...names,
    ...scalars,
    availability_windows: Type.Array(field.ref(AvailabilityWindowSchema)),
    vacations: Type.Array(field.ref(VacationSchema)),
    version: field.Version,
  },
  { $id: 'Instructor', examples: [example.instructor] },
)
export type Instructor = Static<typeof InstructorSchema>

export const NewInstructorSchema = field.closed(
  { ...names, ...optionals },
  {
    $id: 'NewInstructor',
    description:
      "Limits, breaks and windows that are left out take the tenant's defaults; null or an empty list means none.",
    examples: [example.newInstructor],
  },
)
export type NewInstructor = Static<typeof NewInstructorSchema>

export const InstructorChangeSchema = field.closed(
  { ...field.optionals(names), ...optionals },
  {
    $id: 'InstructorChange',
    description: 'A list is replaced whole.',
    examples: [{ vacations: [example.vacation] }],
  },
)
export type InstructorChange = Static<typeof InstructorChangeSchema>

export const instructorParts = [AvailabilityWindowSchema, VacationSchema, NewVacationSchema]

/** Faults between fields: a window or vacation that ends before it begins. */
export function instructorFaultsFor(body: InstructorChange): readonly Fault[] {
  const windows = windowFaultsFor('/availability_windows', body.availability_windows ?? [])
  const vacations = (body.vacations ?? []).flatMap(({ start_date, end_date }, index) =>
    start_date <= end_date
      ? []
      : [orderFault(`/vacations/${index}/end_date`, 'end_date', 'on or after', start_date)],
  )
  return [...windows, ...vacations]
}

/** Windows that end before they begin, in the list to which the pointer leads. */
export function windowFaultsFor(pointer: string, windows: readonly AvailabilityWindow[]): readonly Fault[] {
  return windows.flatMap(({ start, end }, index) =>
    start < end ? [] : [orderFault(`${pointer}/${index}/end`, 'end', 'after', start)],
  )
}

function orderFault(pointer: string, name: string, relation: string, start: string): Fault {
  return { pointer, code: 'wrong_order', detail: `${name} must be ${relation} the start, ${start}.` }
}

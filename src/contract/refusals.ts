import { type Static, type TSchema, Type } from 'typebox'
import type { RefusalCode, RefusalParams } from '../domain/refusal.ts'
import * as field from './fields.ts'

/** The status and texts of a problem. `{name}` in a text stands for a parameter. */
export type Explanation = {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly detailWithParams?: string
}

const conflict = {
  appointment_id: field.described(
    field.nullable(field.Id),
    'The appointment in the way; null if you may not see it.',
  ),
  start_at: field.described(field.LocalDateTime, "Its start on the school's wall clock."),
  end_at: field.described(field.LocalDateTime, "Its end on the school's wall clock."),
}

const load = {
  booked_units: Type.Number({ description: 'The units of other appointments.' }),
  requested_units: Type.Number({ description: 'The units of this appointment.' }),
  limit_units: Type.Number({ description: 'The limit.' }),
  override_units: field.described(
    field.nullable(Type.Number()),
    'The limit in exceptional cases; null for none.',
  ),
}

const vehicle_id = field.described(field.Id, 'The vehicle.')
const note = field.described(field.nullable(Type.String()), 'The note of the office; null for none.')
const date = field.described(field.LocalDate, 'The day.')
const start_at = field.described(field.LocalDateTime, "The start on the school's wall clock.")
const end_at = field.described(field.LocalDateTime, "The end on the school's wall clock.")

/** The problem of each broken rule, and its params for the description and for generated clients. */
export const REFUSALS = {
  instructor_inactive: {
    status: 409,
    title: 'Instructor inactive',
    detail: 'The instructor is not active.',
    params: field.closed({ instructor_id: field.described(field.Id, 'The instructor.') }),
  },
  instructor_busy: {
    status: 409,
    title: 'Instructor busy',
    detail: 'The instructor has another appointment from {start_at} to {end_at}.',
    params: field.closed(conflict),
  },
  full: {
    status: 409,
    title: 'Full',
    detail: 'All {seats} seats are taken.',
    params: field.closed({ seats: Type.Integer({ description: 'The seats of the group.' }) }),
  },
  student_busy: {
    status: 409,
    title: 'Student busy',
    detail: 'The student has another appointment from {start_at} to {end_at}.',
    params: field.closed({
      ...conflict,
      student_id: Type.Optional(field.described(field.Id, 'The student; only for groups.')),
    }),
  },
  public_holiday: {
    status: 409,
    title: 'Public holiday',
    detail: '{date} is a public holiday: {name}.',
    params: field.closed({ date, name: Type.String({ description: 'The name of the holiday.' }) }),
  },
  school_closed: {
    status: 409,
    title: 'School closed',
    detail: 'The school is closed on {date}.',
    params: field.closed({ date, note }),
  },
  instructor_on_vacation: {
    status: 409,
    title: 'Instructor on vacation',
    detail: 'The instructor is away from {start} to {end}.',
    params: Type.Union([
      field.closed({
        start_date: field.described(field.LocalDate, 'The first day of the vacation.'),
        end_date: field.described(field.LocalDate, 'Its last day.'),
        note,
      }),
      field.closed({ start_at, end_at, note }),
    ]),
  },
  instructor_busy_elsewhere: {
    status: 409,
    title: 'Instructor busy elsewhere',
    detail: 'The instructor is busy elsewhere from {start_at} to {end_at}.',
    params: field.closed({ start_at, end_at }),
  },
  outside_availability: {
    status: 409,
    title: 'Outside availability',
    detail: 'The appointment lies outside the working windows of {date}.',
    params: field.closed({
      date,
      windows: Type.Unsafe<RefusalParams['outside_availability']['windows']>({
        type: 'array',
        items: { $ref: '#/components/schemas/AvailabilityWindow' },
        description: 'The windows that hold on that day; none on a day off.',
      }),
    }),
  },
  daily_limit_exceeded: {
    status: 409,
    title: 'Daily limit exceeded',
    detail:
      'On {date} {booked_units} units are booked; {requested_units} more would exceed the limit of {limit_units} (override: {override_units}).',
    params: field.closed({ date, ...load }),
  },
  weekly_limit_exceeded: {
    status: 409,
    title: 'Weekly limit exceeded',
    detail:
      'In the week from {week_start} {booked_units} units are booked; {requested_units} more would exceed the limit of {limit_units} (override: {override_units}).',
    params: field.closed({
      week_start: field.described(field.LocalDate, 'The Monday of the ISO week.'),
      ...load,
    }),
  },
  break_too_short: {
    status: 409,
    title: 'Break too short',
    detail:
      'There are only {gap_minutes} minutes between this and the neighbouring appointment; {required_minutes} are required.',
    params: field.closed({
      gap_minutes: Type.Integer({ description: 'The minutes between the two appointments.' }),
      required_minutes: Type.Integer({ description: 'The minutes that the break must have.' }),
      appointment_id: field.described(field.Id, 'The other appointment.'),
      first_start_at: Type.Optional(
        field.described(
          field.nullable(field.LocalDateTime),
          'The first start in that week that all rules allow, only in a check; null for none.',
        ),
      ),
    }),
  },
  continuous_minutes_exceeded: {
    status: 409,
    title: 'Continuous minutes exceeded',
    detail:
      'From {start_at} to {end_at} the instructor would work {minutes} minutes without a break; at most {limit_minutes} are allowed.',
    params: field.closed({
      minutes: Type.Integer({ description: 'The minutes without a break.' }),
      limit_minutes: Type.Integer({ description: 'The limit.' }),
      start_at,
      end_at,
    }),
  },
  too_many_appointments: {
    status: 409,
    title: 'Too many appointments',
    detail:
      'The student has {open_appointments} appointments that are not over; at most {limit_appointments} are allowed.',
    params: field.closed({
      open_appointments: Type.Integer({ description: 'The upcoming appointments of the student.' }),
      limit_appointments: Type.Integer({ description: 'The limit.' }),
    }),
  },
  student_archived: {
    status: 409,
    title: 'Student put away',
    detail: 'The student was put away on {archived_at}: take them back first.',
    params: field.closed({
      student_id: field.described(field.Id, 'The former student.'),
      archived_at: field.described(
        field.LocalDateTime,
        "When the student was put away, on the school's wall clock.",
      ),
    }),
  },
  vehicle_inactive: {
    status: 409,
    title: 'Vehicle inactive',
    detail: 'The vehicle {vehicle_id} is not in use.',
    params: field.closed({ vehicle_id }),
  },
  vehicle_absent: {
    status: 409,
    title: 'Vehicle absent',
    detail: 'The vehicle {vehicle_id} is away at that time.',
    params: field.closed({ vehicle_id }),
  },
  vehicle_busy: {
    status: 409,
    title: 'Vehicle busy',
    detail: 'The vehicle has another appointment from {start_at} to {end_at}.',
    params: field.closed({ vehicle_id, ...conflict }),
  },
} satisfies Readonly<Record<RefusalCode, Explanation & { readonly params: TSchema }>>

/** The params of refusals by code, as the description states them. */
export type DescribedParams = { [C in RefusalCode]: Static<(typeof REFUSALS)[C]['params']> }

/** Returns the schema of a refusal as one of its kinds. Responses are serialized by the plain schema, which is faster. */
export function refusalKinds(): readonly object[] {
  return Object.entries(REFUSALS).map(([code, { params }]) => ({
    title: code,
    type: 'object',
    required: ['code', 'params'],
    properties: {
      code: { const: code, description: 'The code of the rule. `/docs/problems` explains it.' },
      params: { ...params, description: 'The numbers for the code, as in the problem that booking returns.' },
    },
    additionalProperties: false,
  }))
}

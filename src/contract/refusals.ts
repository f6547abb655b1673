import { type Static, type TSchema, Type } from 'typebox'
import type { Refusal, RefusalCode } from '../domain/refusal.ts'
import * as field from './fields.ts'

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

/** The params of each broken rule, for the description and for generated clients. */
export const REFUSAL_PARAMS = {
  instructor_inactive: field.closed({ instructor_id: field.described(field.Id, 'The instructor.') }),
  instructor_busy: field.closed(conflict),
  full: field.closed({ seats: Type.Integer({ description: 'The seats of the group.' }) }),
  student_busy: field.closed({
    ...conflict,
    student_id: Type.Optional(field.described(field.Id, 'The student; only for groups.')),
  }),
  public_holiday: field.closed({ date, name: Type.String({ description: 'The name of the holiday.' }) }),
  school_closed: field.closed({ date, note }),
  instructor_on_vacation: Type.Union([
    field.closed({
      start_date: field.described(field.LocalDate, 'The first day of the vacation.'),
      end_date: field.described(field.LocalDate, 'Its last day.'),
      note,
    }),
    field.closed({ start_at, end_at, note }),
  ]),
  instructor_busy_elsewhere: field.closed({ start_at, end_at }),
  outside_availability: field.closed({
    date,
    windows: Type.Unsafe<RefusalParams['outside_availability']['windows']>({
      type: 'array',
      items: { $ref: '#/components/schemas/AvailabilityWindow' },
      description: 'The windows that hold on that day; none on a day off.',
    }),
  }),
  daily_limit_exceeded: field.closed({ date, ...load }),
  weekly_limit_exceeded: field.closed({
    week_start: field.described(field.LocalDate, 'The Monday of the ISO week.'),
    ...load,
  }),
  break_too_short: field.closed({
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
  continuous_minutes_exceeded: field.closed({
    minutes: Type.Integer({ description: 'The minutes without a break.' }),
    limit_minutes: Type.Integer({ description: 'The limit.' }),
    start_at,
    end_at,
  }),
  too_many_appointments: field.closed({
    open_appointments: Type.Integer({ description: 'The upcoming appointments of the student.' }),
    limit_appointments: Type.Integer({ description: 'The limit.' }),
  }),
  student_archived: field.closed({
    student_id: field.described(field.Id, 'The former student.'),
    archived_at: field.described(
      field.LocalDateTime,
      "When the student was put away, on the school's wall clock.",
    ),
  }),
  vehicle_inactive: field.closed({ vehicle_id }),
  vehicle_absent: field.closed({ vehicle_id }),
  vehicle_busy: field.closed({ vehicle_id, ...conflict }),
} satisfies Readonly<Record<RefusalCode, TSchema>>

/** The params of refusals by code, as the rules state them. */
export type RefusalParams = { [R in Refusal as R['code']]: R['params'] }

/** The params of refusals by code, as the description states them. */
export type DescribedParams = { [C in RefusalCode]: Static<(typeof REFUSAL_PARAMS)[C]> }

/** Returns the schema of a refusal as one of its kinds. Responses are serialized by the plain schema, which is faster. */
export function refusalKinds(): readonly object[] {
  return Object.entries(REFUSAL_PARAMS).map(([code, params]) => ({
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

import { type Static, Type } from 'typebox'
import {
  type AppointmentChange,
  AppointmentChangeSchema,
  appointmentFaultsFor,
  type NewAppointment,
} from './appointment.ts'
import { type Assumed, AssumedSchema, assumedFaultsFor } from './assumed.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { OverridesUsedSchema, SlotSchema, WarningSchema } from './slot.ts'

export type AppointmentCheck = (
  | NewAppointment
  | (AppointmentChange & { readonly appointment_id: string })
) & {
  readonly assumed?: Assumed
}

const fields = field.closed(
  {
    appointment_id: field.optional(
      field.described(field.Id, 'The appointment to change; without it the check is of a booking.'),
    ),
    ...AppointmentChangeSchema.properties,
    assumed: field.optional(AssumedSchema),
  },
  {
    $id: 'AppointmentCheck',
    description:
      'With `appointment_id` the other fields are a change of that appointment, without it they are a booking.',
    if: { required: ['appointment_id'] },
    else: { required: ['instructor_id', 'lesson_type_id', 'start_at', 'end_at'] },
    examples: [
      example.checkedBooking,
      { appointment_id: example.appointment.id, start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30' },
    ],
  },
)
export const AppointmentCheckSchema = Type.Unsafe<AppointmentCheck>(fields)

/** The codes of the rules, in order. */
export const BROKEN_RULES = [
  'instructor_inactive',
  'instructor_busy',
  'full',
  'student_busy',
  'public_holiday',
  'school_closed',
  'instructor_on_vacation',
  'outside_availability',
  'daily_limit_exceeded',
  'weekly_limit_exceeded',
  'break_too_short',
  'continuous_minutes_exceeded',
  'too_many_appointments',
  'vehicle_inactive',
  'vehicle_absent',
  'vehicle_busy',
] as const

export const RefusalSchema = field.closed(
  {
    code: Type.Enum([...BROKEN_RULES], {
      description: 'The rule. `/docs/problems` explains each with its params.',
    }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The numbers behind the code, as in the problem that booking answers.',
    }),
  },
  { $id: 'Refusal', description: 'A broken rule.', examples: [example.refusal] },
)

const units = {
  booked_units: Type.Number({ description: 'The units of other appointments.' }),
  requested_units: Type.Number({
    description: 'The units of this appointment; 0 if its lesson type does not count toward limits.',
  }),
  limit_units: field.described(field.nullable(Type.Number()), "The instructor's limit; null means none."),
  override_units: field.described(
    field.nullable(Type.Number()),
    "The instructor's limit in exceptional cases; null means none.",
  ),
}

/** The result that booking or changing would have, with alternatives. */
export const CheckSchema = field.closed(
  {
    allowed: Type.Boolean({ description: 'Whether booking would succeed now.' }),
    refusals: Type.Array(field.ref(RefusalSchema), {
      description:
        'Every rule that is broken, in order; the first is what booking would answer. `break_too_short` has one param more than there: `first_start_at`, the first minute from the start asked for on, to the end of its ISO week, at which all rules allow it without an override; null if there is none.',
    }),
    warnings: Type.Array(field.ref(WarningSchema), {
      description: 'The warnings to read before booking; none of them refuses it.',
    }),
    overrides_used: OverridesUsedSchema,
    load: field.closed(
      {
        day: field.closed(
          { date: field.described(field.LocalDate, 'The day on which the lesson starts.'), ...units },
          { description: "The units of the instructor's day." },
        ),
        week: field.closed(
          { week_start: field.described(field.LocalDate, 'The Monday of the ISO week.'), ...units },
          { description: "The units of the instructor's week." },
        ),
      },
      { description: 'The units of the instructor, against the limits.' },
    ),
    alternatives: Type.Array(field.ref(SlotSchema), {
      maxItems: 3,
      description:
        'If it is not allowed, the nearest times of the same length: at most two weeks away, on the quarters of the hour, without overrides. They are of the same instructor or, if there is none, of others who teach the class.',
    }),
  },
  {
    $id: 'Check',
    description: 'The result that booking or changing would have, and alternatives.',
    examples: [example.check],
  },
)
export type Check = Static<typeof CheckSchema>

export function checkFaultsFor(check: AppointmentCheck, timezone: string): readonly Fault[] {
  return [...appointmentFaultsFor(check, timezone), ...assumedFaultsFor(check)]
}

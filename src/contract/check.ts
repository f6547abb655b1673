import { type Static, Type } from 'typebox'
import { BROKEN_RULES } from '../domain/refusal.ts'
import {
  type AppointmentChange,
  AppointmentChangeSchema,
  AppointmentSchema,
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
      'With `appointment_id`, the other fields are a change of that appointment; without it, a new booking.',
    if: { required: ['appointment_id'] },
    else: { required: ['instructor_id', 'lesson_type_id', 'start_at', 'end_at'] },
    examples: [
      example.checkedBooking,
      { appointment_id: example.appointment.id, start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30' },
    ],
  },
)
export const AppointmentCheckSchema = Type.Unsafe<AppointmentCheck>(fields)

export const RefusalSchema = field.closed(
  {
    code: Type.Enum([...BROKEN_RULES], {
      description: 'The code of the rule. `/docs/problems` explains each code and its params.',
    }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The numbers for the code, as in the problem that booking returns.',
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

/** The expected result of booking or changing, with alternatives. */
export const CheckSchema = field.closed(
  {
    allowed: Type.Boolean({ description: 'Whether booking would succeed now.' }),
    refusals: Type.Array(field.ref(RefusalSchema), {
      description:
        'Every broken rule, in order; booking would return the first. `break_too_short` has one more param here: `first_start_at`, the first minute between the requested start and the end of its ISO week at which all rules allow it without an override; null if there is none.',
    }),
    warnings: Type.Array(field.ref(WarningSchema), {
      description: 'Warnings to show before booking; none of them prevents it.',
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
      { description: "The instructor's units and limits." },
    ),
    alternatives: Type.Array(field.ref(SlotSchema), {
      maxItems: 3,
      description:
        'If the appointment is not allowed, the nearest free times of the same length: at most two weeks away, on quarters of an hour, without overrides; of the same instructor or, if there are none, of others who teach the class. One that leaves a remainder too short for a lesson counts as half an hour farther.',
    }),
  },
  {
    $id: 'Check',
    description: 'The expected result of booking or changing, with alternatives.',
    examples: [example.check],
  },
)
export type Check = Static<typeof CheckSchema>

/** An appointment as changed, with facts that the change makes worth knowing. */
export const ChangedAppointmentSchema = field.closed(
  {
    ...AppointmentSchema.properties,
    warnings: field.optional(
      Type.Array(field.ref(WarningSchema), {
        description: 'Left out if there are none: `signed` for a lesson whose signatures do not match it.',
      }),
    ),
  },
  {
    $id: 'ChangedAppointment',
    description: 'An appointment as changed.',
    examples: [example.appointment],
  },
)

export function checkFaultsFor(check: AppointmentCheck, timezone: string): readonly Fault[] {
  return [...appointmentFaultsFor(check, timezone), ...assumedFaultsFor(check, timezone)]
}

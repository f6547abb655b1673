import { type Static, Type } from 'typebox'
import { intervalFaultFor, type TimeFault, timeFaultsFor } from '../domain/appointment-times.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { OverridesUsedSchema } from './slot.ts'

export const AppointmentStatusSchema = Type.Enum(['planned', 'completed', 'no_show', 'cancelled'])

const writable = {
  instructor_id: field.Id,
  student_id: field.nullable(field.Id),
  lesson_type_id: field.Id,
  start_at: field.LocalDateTime,
  end_at: field.LocalDateTime,
  title: field.Title,
  status: AppointmentStatusSchema,
  notes: field.nullable(field.Notes),
}

/** A booked interval of one instructor and, unless it is a theory class or blocked time, one student. */
export const AppointmentSchema = field.resource(
  {
    ...writable,
    overrides_used: OverridesUsedSchema,
    series_id: Type.Unsafe<string | null>({
      ...field.nullable(field.Id),
      readOnly: true,
      description: 'What it was booked together with; null for a lesson of its own.',
    }),
    version: field.Version,
  },
  { $id: 'Appointment', examples: [example.appointment] },
)
export type Appointment = Static<typeof AppointmentSchema>

const { instructor_id, lesson_type_id, start_at, end_at } = writable
const optionals = field.optionals(writable)

export const NewAppointmentSchema = field.closed(
  { ...optionals, instructor_id, lesson_type_id, start_at, end_at },
  { $id: 'NewAppointment', examples: [example.newAppointment] },
)
export type NewAppointment = Static<typeof NewAppointmentSchema>

export const AppointmentChangeSchema = field.closed(optionals, {
  $id: 'AppointmentChange',
  examples: [{ start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30' }],
})
export type AppointmentChange = Static<typeof AppointmentChangeSchema>

/** Faults of times that the calendar of the school's zone, or each other, rule out. */
export function appointmentFaultsFor(body: AppointmentChange, timezone: string): readonly Fault[] {
  return timeFaultsFor(body, timezone).map(inWords)
}

/** Faults of an appointment's two ends together. */
export function intervalFaultsFor(times: { start_at: string; end_at: string }): readonly Fault[] {
  const fault = intervalFaultFor(times)
  return fault ? [inWords(fault)] : []
}

function inWords(fault: TimeFault): Fault {
  return { pointer: `/${fault.field}`, code: fault.code, detail: detailOf(fault) }
}

function detailOf(fault: TimeFault): string {
  switch (fault.code) {
    case 'skipped_time':
      return `${fault.time} does not exist: the clocks of ${fault.timezone} jump over it.`
    case 'wrong_order':
      return `end_at must be after start_at, ${fault.start_at}.`
    case 'too_long':
      return `An appointment lasts at most ${fault.longest_minutes} minutes; this one lasts ${fault.minutes}.`
  }
}

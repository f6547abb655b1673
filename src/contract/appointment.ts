import { type Static, Type } from 'typebox'
import { intervalOf, minutesOf } from '../domain/interval.ts'
import { isSkipped } from '../domain/time-zone.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

export const AppointmentStatusSchema = Type.Enum(['planned', 'completed', 'no_show', 'cancelled'])

const LONGEST_MINUTES = 1440

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
    overrides_used: Type.Array(Type.Enum(['daily', 'weekly']), {
      description: 'The unit limits that the appointment lies above, allowed by their overrides.',
    }),
    version: field.Version,
  },
  { $id: 'Appointment', examples: [example.appointment] },
)
export type Appointment = Static<typeof AppointmentSchema>

export const NewAppointmentSchema = field.closed(
  {
    instructor_id: writable.instructor_id,
    student_id: field.optional(writable.student_id),
    lesson_type_id: writable.lesson_type_id,
    start_at: writable.start_at,
    end_at: writable.end_at,
    title: field.optional(writable.title),
    status: field.optional(writable.status),
    notes: field.optional(writable.notes),
  },
  {
    $id: 'NewAppointment',
    examples: [example.newAppointment],
  },
)
export type NewAppointment = Static<typeof NewAppointmentSchema>

export const AppointmentChangeSchema = field.closed(
  {
    instructor_id: field.optional(writable.instructor_id),
    student_id: field.optional(writable.student_id),
    lesson_type_id: field.optional(writable.lesson_type_id),
    start_at: field.optional(writable.start_at),
    end_at: field.optional(writable.end_at),
    title: field.optional(writable.title),
    status: field.optional(writable.status),
    notes: field.optional(writable.notes),
  },
  { $id: 'AppointmentChange', examples: [{ start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30' }] },
)
export type AppointmentChange = Static<typeof AppointmentChangeSchema>

/** Faults of times that the calendar of the school's zone, or each other, rule out. */
export function appointmentFaultsFor(body: AppointmentChange, timezone: string): readonly Fault[] {
  const { start_at, end_at } = body
  return [
    ...skippedFaultsFor('/start_at', start_at, timezone),
    ...skippedFaultsFor('/end_at', end_at, timezone),
    ...(start_at && end_at ? intervalFaultsFor({ start_at, end_at }) : []),
  ]
}

/** Faults of an appointment's two ends together. */
export function intervalFaultsFor(timed: { start_at: string; end_at: string }): readonly Fault[] {
  const minutes = minutesOf(intervalOf(timed))
  if (minutes <= 0) {
    return [
      {
        pointer: '/end_at',
        code: 'wrong_order',
        detail: `end_at must be after start_at, ${timed.start_at}.`,
      },
    ]
  }
  if (minutes > LONGEST_MINUTES) {
    const detail = `An appointment lasts at most ${LONGEST_MINUTES} minutes; this one lasts ${minutes}.`
    return [{ pointer: '/end_at', code: 'too_long', detail }]
  }
  return []
}

function skippedFaultsFor(pointer: string, local: string | undefined, timezone: string): readonly Fault[] {
  if (local === undefined || !isSkipped(local, timezone)) return []
  return [
    {
      pointer,
      code: 'skipped_time',
      detail: `${local} does not exist: the clocks of ${timezone} jump over it.`,
    },
  ]
}

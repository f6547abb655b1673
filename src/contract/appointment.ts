import { type Static, Type } from 'typebox'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { intervalFaultFor, type TimeFault, timeFaultsFor } from '../domain/appointment-times.ts'
import { isExam } from '../domain/readiness.ts'
import { strayEndsFor } from '../domain/worked.ts'
import { NullableCancellation, NullableNoShowFee } from './cancellation.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { OverridesUsedSchema } from './slot.ts'

const { practised, actual_start_at, actual_end_at, ...writable } = field.schemasOf(APPOINTMENT_FIELDS)

/** The fields of a lesson's outcome, which are written after booking and subject to no rule. */
const outcomeFields = { practised, actual_start_at, actual_end_at }

export const AppointmentStatusSchema = writable.status

/** A booked interval of one instructor with one student, a group, or neither: a class without names, or blocked time. */
export const AppointmentSchema = field.resource(
  {
    ...writable,
    ...outcomeFields,
    overrides_used: OverridesUsedSchema,
    series_id: Type.Unsafe<string | null>({
      ...field.nullable(field.Id),
      readOnly: true,
      description: 'The series that it was booked with; null for a single lesson.',
    }),
    license_class: Type.Unsafe<string | null>({
      ...field.nullable(Type.String()),
      readOnly: true,
      description:
        'The class of `enrolment_id` when the lesson was given to it; null for theory, which has no class, and for a lesson without an enrolment.',
    }),
    cancellation: NullableCancellation,
    no_show_fee_percent: NullableNoShowFee,
    confirmed_at: Type.Unsafe<string | null>({
      ...field.nullable(field.Timestamp),
      readOnly: true,
      description:
        'When the student confirmed the lesson on their page: UTC, RFC 3339. Null until then, and again when the lesson is moved, cancelled, or given to another student or instructor.',
    }),
    version: field.Version,
  },
  {
    $id: 'Appointment',
    description:
      'A booked interval of one instructor and one student, a group of `attendees`, or nobody (blocked time).',
    examples: [example.appointment],
  },
)
export type Appointment = Static<typeof AppointmentSchema>

const { instructor_id, lesson_type_id, start_at, end_at } = writable
const optionals = {
  ...field.optionals(writable),
  attendees: field.optional(field.described(field.NewAttendees, APPOINTMENT_FIELDS.attendees.about)),
  exam_result: field.optional(
    field.described(field.nullable(field.NewExamResult), APPOINTMENT_FIELDS.exam_result.about),
  ),
}

export const NewAppointmentSchema = field.closed(
  { ...optionals, instructor_id, lesson_type_id, start_at, end_at },
  { $id: 'NewAppointment', description: 'The appointment to book.', examples: [example.newAppointment] },
)
export type NewAppointment = Static<typeof NewAppointmentSchema>

export const AppointmentChangeSchema = field.closed(
  { ...optionals, ...field.optionals(outcomeFields) },
  {
    $id: 'AppointmentChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30' }],
  },
)
export type AppointmentChange = Static<typeof AppointmentChangeSchema>

/** The attendance of a student in a group. */
export const AttendanceSchema = field.closed(
  { attended: field.optional(field.Attended) },
  {
    $id: 'Attendance',
    description: 'Whether the student attended.',
    examples: [{ attended: true }],
  },
)

/** Returns the faults of the attendees, the planned times and the actual times. */
export function appointmentFaultsFor(body: AppointmentChange, timezone: string): readonly Fault[] {
  const { start_at, end_at, actual_start_at, actual_end_at } = body
  const actual = { start_at: actual_start_at ?? undefined, end_at: actual_end_at ?? undefined }
  return [
    ...attendeeFaultsFor(body),
    ...timeFaultsFor({ start_at, end_at }, timezone).map((fault) => inText(fault)),
    ...timeFaultsFor(actual, timezone).map((fault) => inText(fault, 'actual_')),
  ]
}

/** Returns the faults of an appointment with both a student and a group, or with a student twice in the group. */
export function attendeeFaultsFor({
  student_id,
  attendees = [],
}: Pick<AppointmentChange, 'student_id' | 'attendees'>): readonly Fault[] {
  if (student_id && attendees.length > 0)
    return [
      { pointer: '/attendees', code: 'not_allowed', detail: 'attendees cannot stand beside student_id.' },
    ]
  const ids = attendees.map((one) => one.student_id.toLowerCase())
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at)
  if (twice === -1) return []
  const detail = `attendees names ${ids[twice]} twice.`
  return [{ pointer: `/attendees/${twice}`, code: 'duplicate', detail }]
}

/** Returns the faults of seats and attendees that the lesson type does not allow. */
export function seatFaultsFor(
  { seats, attendees }: Pick<Appointment, 'seats' | 'attendees'>,
  seatsOfType: number,
): readonly Fault[] {
  const faults: Fault[] = []
  if (seatsOfType === 1 && attendees.length > 0) {
    const detail = 'attendees need a lesson type with more than one seat; this one has 1.'
    faults.push({ pointer: '/attendees', code: 'not_allowed', detail })
  }
  if (seats !== null && seats > seatsOfType) {
    const detail = `seats must be at most ${seatsOfType}, those of the lesson type.`
    faults.push({ pointer: '/seats', code: 'out_of_range', detail })
  }
  return faults
}

/** Returns the fault of a result for a lesson type that is no exam. */
export function examFaultsFor(
  result: NewAppointment['exam_result'],
  { name, category }: { readonly name: string; readonly category: string },
): readonly Fault[] {
  if (!result || isExam(category)) return []
  const detail = `exam_result needs a lesson type whose category ends in exam; that of ${name} is ${category}.`
  return [{ pointer: '/exam_result', code: 'not_an_exam', detail }]
}

type Times = Pick<Appointment, 'start_at' | 'end_at' | 'actual_start_at' | 'actual_end_at'>

/** Returns the faults of intervals, planned and actual. Actual times must be both set or both null. */
export function intervalFaultsFor(times: Times): readonly Fault[] {
  const { actual_start_at, actual_end_at } = times
  const planned = intervalFaultFor(times)
  const actual =
    actual_start_at !== null && actual_end_at !== null
      ? intervalFaultFor({ start_at: actual_start_at, end_at: actual_end_at })
      : undefined
  return [
    ...(planned ? [inText(planned)] : []),
    ...(actual ? [inText(actual, 'actual_')] : []),
    ...((actual_start_at === null) === (actual_end_at === null) ? [] : [HALF]),
  ]
}

const HALF: Fault = {
  pointer: '/actual_end_at',
  code: 'required',
  detail: 'actual_start_at and actual_end_at are both given, or both null.',
}

export function strayFaultsFor(times: Times): readonly Fault[] {
  return strayEndsFor(times).map((field) => ({
    pointer: `/actual_${field}`,
    code: 'too_far',
    detail: `actual_${field} must be within 12 hours of ${field}, ${times[field]}.`,
  }))
}

type Prefix = '' | 'actual_'

export function inText(fault: TimeFault, prefix: Prefix = ''): Fault {
  return { pointer: `/${prefix}${fault.field}`, code: fault.code, detail: detailOf(fault, prefix) }
}

function detailOf(fault: TimeFault, prefix: Prefix): string {
  switch (fault.code) {
    case 'skipped_time':
      return `${fault.time} does not exist: the clocks of ${fault.timezone} jump over it.`
    case 'wrong_order':
      return `${prefix}end_at must be after ${prefix}start_at, ${fault.start_at}.`
    case 'too_long':
      return `An appointment lasts at most ${fault.longest_minutes} minutes; this one lasts ${fault.minutes}.`
  }
}

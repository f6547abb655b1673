import { Type } from 'typebox'
import * as range from '../domain/ranges.ts'
import { type StudentActions, VERIFICATION_METHODS } from '../domain/student-actions.ts'
import { BOOKING_MODES, type StudentBooking } from '../domain/student-booking.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const actions = {
  confirm: Type.Boolean({ description: 'Whether students may confirm an upcoming lesson.' }),
  cancel: Type.Boolean({
    description:
      'Whether students may cancel an upcoming lesson. The page shows the fee that the policy proposes before they do.',
  }),
  wish: Type.Boolean({
    description: 'Whether students may add and withdraw wishes for lessons.',
  }),
  sign: field.optional(
    Type.Boolean({
      description:
        'Whether students may sign lessons and, after the end of a training, its record on their page. It needs a `proof` other than `none`. Missing means no.',
    }),
  ),
  proof: Type.Enum([...VERIFICATION_METHODS], {
    description:
      "The proof that the page requires in addition to its link: none, the date of birth, or a code sent to the student's e-mail address.",
  }),
}

const ABOUT_ACTIONS = 'The actions that students may take on their page; all of them are off at first.'

/** The setting as a field of the school. */
export const studentActions = {
  student_actions: Type.Unsafe<StudentActions>(field.closed(actions, { description: ABOUT_ACTIONS })),
}

/** Whether students may move lessons. Older clients know it instead of the mode of `student_booking`. */
export const studentsMayMove = {
  students_may_move: Type.Boolean({
    description:
      'Whether students may move an upcoming lesson on their page: true unless `student_booking.mode` is `off`. Changing it to true makes `off` `move`, changing it to false makes every mode `off`.',
  }),
}

const bounds = {
  mode: Type.Enum([...BOOKING_MODES], {
    description:
      '`off`: students neither move nor book lessons. `move`: they move an upcoming lesson to a free time of its instructor, while cancelling it would be free of charge at both times. `book`: they also book lessons with their own instructor or, without one, any who teaches their class.',
  }),
  notice_hours: field.described(
    field.integer(range.BOOKING_NOTICE_HOURS),
    'The hours from now to the earliest start that students may choose.',
  ),
  horizon_days: field.described(
    field.integer(range.BOOKING_HORIZON_DAYS),
    'The days of 24 hours from now to the latest end that students may choose; more than `notice_hours`.',
  ),
  time_from: field.described(field.TimeOfDay, 'The earliest start of a day, `HH:MM`.'),
  time_to: field.described(field.EndOfWindow, 'The latest end of a day, `HH:MM` or `24:00`.'),
  lessons_ahead: field.described(
    field.integer(range.LESSONS_AHEAD),
    'The coming planned lessons of a student from which on no further one can be booked.',
  ),
  lesson_type_ids: field.nullable(
    Type.Array(field.Id, {
      maxItems: range.MAX_BOOKABLE_TYPES,
      uniqueItems: true,
      description:
        'The lesson types that students may book, of the categories `practical` and `special`; special drives only while the class requires more of them. Null for the open special drives and ordinary practice.',
    }),
  ),
  no_gaps: Type.Boolean({
    description:
      "Whether a time that leaves a remainder too short for the school's shortest lesson is offered only if no other is free.",
  }),
}

const ABOUT_BOOKING =
  'The lessons that students may move and book on their page, and the bounds of the times that it offers.'

/** The setting as a field of the school. */
export const studentBooking = {
  student_booking: Type.Unsafe<StudentBooking>(field.closed(bounds, { description: ABOUT_BOOKING })),
}

/** The setting as a field of a change of the school. */
export const changedStudentBooking = {
  student_booking: Type.Unsafe<Partial<StudentBooking>>(
    field.closed(field.optionals(bounds), {
      description: `${ABOUT_BOOKING} Omitted settings keep their values.`,
    }),
  ),
}

/** Returns the faults of the merged bounds: hours that end before they begin, and a horizon within the notice. */
export function bookingFaultsFor({
  notice_hours,
  horizon_days,
  time_from,
  time_to,
}: StudentBooking): readonly Fault[] {
  const faults: Fault[] = []
  if (horizon_days * 24 <= notice_hours) {
    const detail = `horizon_days must be more than the notice: ${horizon_days} days are ${horizon_days * 24} hours, and notice_hours is ${notice_hours}.`
    faults.push({ pointer: '/student_booking/horizon_days', code: 'out_of_range', detail })
  }
  if (time_from >= time_to) {
    const detail = `time_to must be later than time_from, ${time_from}.`
    faults.push({ pointer: '/student_booking/time_to', code: 'wrong_order', detail })
  }
  return faults
}

/** The setting as a field of a change of the school. */
export const changedStudentActions = {
  student_actions: Type.Unsafe<Partial<StudentActions>>(
    field.closed(field.optionals(actions), {
      description: `${ABOUT_ACTIONS} Omitted settings keep their values.`,
    }),
  ),
}

import * as range from '../domain/ranges.ts'
import * as is from './checks.ts'

const id = is.orNull(is.uuid)

/** The checks of a wish, without its times of writing. */
export const WISH_CHECKS = {
  id: is.uuid,
  student_id: is.uuid,
  weekdays: is.orNull(is.listOf(is.integer({ min: 1, max: 7 }), 7)),
  time_from: is.orNull(is.timeOfDay),
  time_to: is.orNull(is.endOfWindow),
  minutes: is.integer(range.APPOINTMENT_MINUTES),
  lesson_type_id: id,
  instructor_id: id,
  until: is.orNull(is.date),
  deleted_at: is.orNull(is.moment),
} as const

/** The checks of an offer, without its times of writing. */
export const OFFER_CHECKS = {
  id: is.uuid,
  instructor_id: is.uuid,
  lesson_type_id: is.uuid,
  start_at: is.wallClock,
  end_at: is.wallClock,
  expires_at: is.moment,
  state: is.oneOf(['open', 'taken', 'withdrawn']),
  appointment_id: id,
  taken_by: id,
} as const

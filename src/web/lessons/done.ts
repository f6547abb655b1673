import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { type LocalDateTime, minutesLater } from '../../domain/local-time.ts'
import { hasDoubtfulLength } from '../../domain/worked.ts'

type Times = Pick<Appointment, 'start_at' | 'end_at' | 'actual_start_at' | 'actual_end_at'>

/** The actual times of a lesson. */
export type ActualTimes = {
  readonly actual_start_at: LocalDateTime
  readonly actual_end_at: LocalDateTime
}

/** The minimum length of a lesson. */
const SHORTEST_MINUTES = 1

/** Returns the end of a lesson that ends now, at least a minute after its start. */
export function endingAt(now: LocalDateTime, start: LocalDateTime): LocalDateTime {
  const soonest = minutesLater(start, SHORTEST_MINUTES)
  return now > soonest ? now : soonest
}

/**
 * Returns the times, up to now, of a lesson that is marked as done, if their length needs a confirmation; undefined if the
 * lesson took about as long as planned.
 */
export function doubtfulTimesOf(lesson: Times, now: LocalDateTime): ActualTimes | undefined {
  const actual_start_at = lesson.actual_start_at ?? lesson.start_at
  const end = lesson.actual_end_at ?? lesson.end_at
  const ended = endingAt(now, actual_start_at)
  const times = { actual_start_at, actual_end_at: ended < end ? ended : end }
  return hasDoubtfulLength({ ...lesson, ...times }) ? times : undefined
}

const NEVER = { actual_start_at: null, actual_end_at: null } as const

/** Returns the change to a status without actual times: nothing took place, or it took place as planned. */
export function withoutTimes<Status extends Appointment['status']>(
  { actual_start_at }: Pick<Times, 'actual_start_at'>,
  status: Status,
): { readonly status: Status } & Pick<AppointmentChange, 'actual_start_at' | 'actual_end_at'> {
  return actual_start_at === null ? { status } : { status, ...NEVER }
}

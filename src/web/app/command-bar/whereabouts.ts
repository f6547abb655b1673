import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf, type LocalDateTime } from '../../../domain/local-time.ts'

/** A person's current lesson and the next ones. */
export type Whereabouts = {
  /** The current lesson, or else the rest of the day. */
  readonly now: Appointment | undefined
  readonly today: readonly Appointment[]
  /** The first one after today's. */
  readonly next: Appointment | undefined
}

/** Finds the lessons that tell where a person is: without those that ended before today or do not take place. */
export function whereaboutsIn(lessons: readonly Appointment[], now: LocalDateTime): Whereabouts {
  const held = lessons
    .filter(({ status }) => status === 'planned' || status === 'completed')
    .toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const today = held.filter(({ start_at }) => dateOf(start_at) === dateOf(now))
  return {
    now: held.find(({ start_at, end_at }) => start_at <= now && now < end_at),
    today,
    next: held.find(({ start_at }) => dateOf(start_at) > dateOf(now)),
  }
}

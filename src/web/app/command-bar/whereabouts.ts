import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf, type LocalDateTime } from '../../../domain/local-time.ts'

export type Whereabouts = {
  /** The current lesson. */
  readonly now: Appointment | undefined
  readonly today: readonly Appointment[]
  /** The first lesson after today. */
  readonly next: Appointment | undefined
}

/** Returns a person's current lesson, those of today and the next one; only planned and completed ones. */
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

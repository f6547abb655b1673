import { type Interval, intervalOf, minutesOf } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'

/** A lesson as it was planned, and as it was: both actual times, or neither. */
export type Worked = {
  readonly status: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly actual_start_at: LocalDateTime | null
  readonly actual_end_at: LocalDateTime | null
}

/** When the lesson really was, or else when it was planned. */
export function actualIntervalOf(lesson: Omit<Worked, 'status'>): Interval {
  const { actual_start_at, actual_end_at } = lesson
  if (actual_start_at === null || actual_end_at === null) return intervalOf(lesson)
  return intervalOf({ start_at: actual_start_at, end_at: actual_end_at })
}

/** The minutes that were worked: of lessons that are done, by their actual times where they are known. */
export function workedMinutesOf(lessons: readonly Worked[]): number {
  const done = lessons.filter(({ status }) => status === 'completed')
  return done.reduce((sum, lesson) => sum + minutesOf(actualIntervalOf(lesson)), 0)
}

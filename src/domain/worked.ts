import { type Interval, intervalOf, minutesOf } from './interval.ts'
import { type LocalDateTime, minuteOf } from './local-time.ts'
import { elapsedIntervalOf } from './time-zone.ts'

/** A lesson's planned times, and both actual times or neither. */
export type WorkedLesson = {
  readonly status: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly actual_start_at: LocalDateTime | null
  readonly actual_end_at: LocalDateTime | null
}

/** Returns the actual times if known, or else the planned ones. */
export function actualTimesOf(
  lesson: Omit<WorkedLesson, 'status'>,
): Pick<WorkedLesson, 'start_at' | 'end_at'> {
  const { start_at, end_at, actual_start_at, actual_end_at } = lesson
  if (actual_start_at === null || actual_end_at === null) return { start_at, end_at }
  return { start_at: actual_start_at, end_at: actual_end_at }
}

export function actualIntervalOf(lesson: Omit<WorkedLesson, 'status'>): Interval {
  return intervalOf(actualTimesOf(lesson))
}

/** The maximum minutes between an actual time and the planned one. */
const FARTHEST_MINUTES = 12 * 60

export function strayEndsFor(lesson: Omit<WorkedLesson, 'status'>): readonly ('start_at' | 'end_at')[] {
  const { actual_start_at, actual_end_at } = lesson
  const isFar = (planned: LocalDateTime, actual: LocalDateTime | null) =>
    actual !== null && Math.abs(minuteOf(actual) - minuteOf(planned)) > FARTHEST_MINUTES
  const stray: ('start_at' | 'end_at')[] = []
  if (isFar(lesson.start_at, actual_start_at)) stray.push('start_at')
  if (isFar(lesson.end_at, actual_end_at)) stray.push('end_at')
  return stray
}

/** The minutes of difference beyond which actual times are probably a slip. */
const DOUBTFUL_MINUTES = 60

/** Whether actual times are probably a slip: far from the plan, or of a very different length. */
export function isDoubtful(lesson: Omit<WorkedLesson, 'status'>): boolean {
  const [planned, actual] = [intervalOf(lesson), actualIntervalOf(lesson)]
  return (
    Math.abs(actual.start - planned.start) > DOUBTFUL_MINUTES ||
    Math.abs(actual.end - planned.end) > DOUBTFUL_MINUTES ||
    hasDoubtfulLength(lesson)
  )
}

/** Whether the actual length differs from the planned one by more than a third, so that a person has to confirm it. */
export function hasDoubtfulLength(lesson: Omit<WorkedLesson, 'status'>): boolean {
  const [planned, actual] = [minutesOf(intervalOf(lesson)), minutesOf(actualIntervalOf(lesson))]
  return 3 * Math.abs(actual - planned) > planned
}

/** Sums up the elapsed minutes of completed lessons, by their actual times if known. */
export function workedMinutesOf(lessons: readonly WorkedLesson[], timezone: string): number {
  const done = lessons.filter(({ status }) => status === 'completed')
  return done.reduce((sum, lesson) => sum + actualMinutesOf(lesson, timezone), 0)
}

/** Returns the elapsed minutes between the actual times if known, or else the planned ones. */
export function actualMinutesOf(lesson: Omit<WorkedLesson, 'status'>, timezone: string): number {
  return minutesOf(elapsedIntervalOf(actualTimesOf(lesson), timezone))
}

import type { Wish } from './gaps.ts'
import { dayOf, daysLater, type LocalDate, minuteOfDay, type TimeOfDay, weekdayOf } from './local-time.ts'

/** Hours of one day in which a student can come for a lesson of so many minutes. */
export type AvailableTime = {
  readonly date: LocalDate
  readonly time_from: TimeOfDay
  readonly time_to: TimeOfDay
  readonly minutes: number
}

export const DAYS_OF_WEEK = [0, 1, 2, 3, 4, 5, 6] as const

/** Returns the hours of a wish on each day of a week on which it holds. */
export function timesOfWish(
  {
    weekdays,
    from,
    until,
    time_from,
    time_to,
    minutes,
  }: Omit<Wish, 'id' | 'lesson_type_id' | 'instructor_id'>,
  week_start: LocalDate,
): readonly AvailableTime[] {
  return DAYS_OF_WEEK.map((days) => daysLater(week_start, days))
    .filter((date) => weekdays === null || weekdays.includes(weekdayOf(dayOf(date))))
    .filter((date) => (from === null || date >= from) && (until === null || date <= until))
    .map((date) => ({ date, time_from: time_from ?? '00:00', time_to: time_to ?? '24:00', minutes }))
}

/** Whether a lesson fits into the hours. */
export function isLongEnough({ time_from, time_to, minutes }: Omit<AvailableTime, 'date'>): boolean {
  return minuteOfDay(time_to) - minuteOfDay(time_from) >= minutes
}

import {
  dayOf,
  type LocalDate,
  type LocalDateTime,
  localDateFor,
  localDateTimeFor,
  minuteOf,
  weekStartOf,
} from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'

/** The day on the school's wall clock. */
export function todayIn(timezone: string, now: Date): LocalDate {
  return localNow(now, timezone).slice(0, 10)
}

export function mondayOf(date: LocalDate): LocalDate {
  return localDateFor(weekStartOf(dayOf(date)))
}

export function shifted(date: LocalDate, days: number): LocalDate {
  return localDateFor(dayOf(date) + days)
}

/** The ISO number of the week. */
export function weekNumberOf(date: LocalDate): number {
  const thursday = weekStartOf(dayOf(date)) + 3
  const firstOfYear = dayOf(`${localDateFor(thursday).slice(0, 4)}-01-01`)
  return Math.floor((thursday - firstOfYear) / 7) + 1
}

/** The wall clock so many minutes later. */
export function later(local: LocalDateTime, minutes: number): LocalDateTime {
  return localDateTimeFor(minuteOf(local) + minutes)
}

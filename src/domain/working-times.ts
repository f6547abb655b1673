import { absentTimesOf } from './absence.ts'
import type { InstructorRules } from './agenda.ts'
import { openTimesOf } from './availability.ts'
import { type Interval, overlaps, without } from './interval.ts'
import { type Day, localDateFor, MINUTES_PER_DAY, midnightOf } from './local-time.ts'
import { vacationWithin } from './vacation.ts'

const WHOLE_DAY: readonly Interval[] = [{ start: 0, end: MINUTES_PER_DAY }]

/** Returns the sorted working minutes since the day's midnight; empty on vacation. */
export function workingTimesOn(
  day: Day,
  {
    vacations,
    availability_windows: windows,
    absences = [],
  }: Pick<InstructorRules, 'availability_windows' | 'vacations' | 'absences'>,
): readonly Interval[] {
  const date = localDateFor(day)
  if (vacationWithin(date, date, vacations)) return []
  const open = windows.length === 0 ? WHOLE_DAY : openTimesOf(day, windows)
  if (absences.length === 0) return open
  return without(open, timesWithin(day, absences))
}

/** Returns the times that touch the day, in minutes since its midnight. The list must not change. */
export function timesWithin(day: Day, periods: Parameters<typeof absentTimesOf>[0]): readonly Interval[] {
  const midnight = midnightOf(day)
  const wholeDay = { start: midnight, end: midnight + MINUTES_PER_DAY }
  return absentTimesOf(periods)
    .filter((one) => overlaps(one, wholeDay))
    .map(({ start, end }) => ({ start: start - midnight, end: end - midnight }))
}

import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { isBounded, timesOf } from '../../../domain/availability.ts'
import { type Interval, joined } from '../../../domain/interval.ts'
import { MINUTES_PER_DAY, type TimeOfDay } from '../../../domain/local-time.ts'
import { WEEKDAYS } from '../../ui/weekday-name.ts'

/** The first minute of a day that charts of a week show. */
export const EARLIEST_MINUTE = 6 * 60

/** A stroke of the brush over one weekday. */
export type Stroke = { readonly weekday: number } & Interval

/** Adds the stroke to the windows and joins those that touch. */
export function painted(
  windows: readonly AvailabilityWindow[],
  { weekday, ...stroke }: Stroke,
): readonly AvailabilityWindow[] {
  const times = joined([...timesOn(weekday, windows), stroke])
  return replaced(windows, weekday, times)
}

/** Removes the stroke from the windows. */
export function cleared(
  windows: readonly AvailabilityWindow[],
  { weekday, start, end }: Stroke,
): readonly AvailabilityWindow[] {
  const times = timesOn(weekday, windows).flatMap((time) =>
    [
      { start: time.start, end: Math.min(time.end, start) },
      { start: Math.max(time.start, end), end: time.end },
    ].filter((rest) => rest.start < rest.end),
  )
  return replaced(windows, weekday, times)
}

/** Replaces other days' windows with those of one weekday. */
export function copied(
  windows: readonly AvailabilityWindow[],
  from: number,
  days: readonly number[],
): readonly AvailabilityWindow[] {
  const times = timesOn(from, windows)
  return days.reduce((week, weekday) => replaced(week, weekday, times), windows)
}

export function workingDays(windows: readonly AvailabilityWindow[]): readonly number[] {
  return WEEKDAYS.filter((weekday) => timesOn(weekday, windows).length > 0)
}

/** Whether the minute is within a window. */
export function isOpenAt(windows: readonly AvailabilityWindow[], weekday: number, minute: number): boolean {
  return timesOn(weekday, windows).some(({ start, end }) => start <= minute && minute < end)
}

/** Returns the weekday's windows in minutes of the day, without incomplete ones and those with dates. */
export function timesOn(weekday: number, windows: readonly AvailabilityWindow[]): readonly Interval[] {
  return windows.filter((window) => window.weekday === weekday && isPainted(window)).map(timesOf)
}

/** Returns the weekday's windows with dates, in minutes of the day. */
export function datedTimesOn(weekday: number, windows: readonly AvailabilityWindow[]): readonly Interval[] {
  return windows.filter((one) => one.weekday === weekday && isBounded(one) && isFilledIn(one)).map(timesOf)
}

function isPainted(window: AvailabilityWindow): boolean {
  return isFilledIn(window) && !isBounded(window)
}

function isFilledIn({ start, end }: AvailabilityWindow): boolean {
  return start !== '' && end !== ''
}

function replaced(
  windows: readonly AvailabilityWindow[],
  weekday: number,
  times: readonly Interval[],
): readonly AvailabilityWindow[] {
  const others = windows.filter((window) => window.weekday !== weekday || !isPainted(window))
  const own = times.map(({ start, end }) => ({ weekday, start: timeFor(start), end: timeFor(end) }))
  return [...others, ...own].toSorted((a, b) => a.weekday - b.weekday || (a.start < b.start ? -1 : 1))
}

/** Returns the time of a minute of the day, `24:00` at its end. */
function timeFor(minute: number): TimeOfDay {
  const within = Math.min(Math.max(minute, 0), MINUTES_PER_DAY)
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

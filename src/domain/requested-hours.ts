import type { AvailabilityWindow } from './agenda.ts'
import { isBounded, openTimesOn } from './availability.ts'

/** The hours on which a request was based (unknown for old requests) and the requested hours. */
export type RequestedHours = {
  readonly windows_before: readonly AvailabilityWindow[] | null
  readonly availability_windows: readonly AvailabilityWindow[]
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]

/**
 * Returns the instructor's hours after acceptance: the requested ones on weekdays that the request changes, the present ones
 * on the others. The requested hours replace all if the base is unknown, if one of the three is empty, meaning unrestricted,
 * or if no day would be left, which would mean unrestricted as well.
 */
export function hoursOnceAccepted(
  now: readonly AvailabilityWindow[],
  { windows_before: before, availability_windows: asked }: RequestedHours,
): readonly AvailabilityWindow[] {
  if (!before || [before, asked, now].some(({ length }) => length === 0)) return asked
  const changed = new Set(WEEKDAYS.filter((weekday) => !isSameDay(weekday, before, asked)))
  const kept = now.filter(({ weekday }) => !changed.has(weekday))
  const merged = [...kept, ...asked.filter(({ weekday }) => changed.has(weekday))]
  return merged.length === 0 ? asked : merged.toSorted(byStart)
}

function isSameDay(
  weekday: number,
  a: readonly AvailabilityWindow[],
  b: readonly AvailabilityWindow[],
): boolean {
  const textOf = (windows: readonly AvailabilityWindow[]) =>
    JSON.stringify([
      openTimesOn(weekday, windows),
      windows.filter((window) => window.weekday === weekday && isBounded(window)),
    ])
  return textOf(a) === textOf(b)
}

function byStart(a: AvailabilityWindow, b: AvailabilityWindow): number {
  return a.weekday - b.weekday || (a.start < b.start ? -1 : 1)
}

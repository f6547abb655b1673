import type { AvailabilityWindow, TimedProposal } from './agenda.ts'
import { contains, daysTouchedBy, joined, pieceOn } from './interval.ts'
import { type Day, localDateFor, minuteOfDay, weekdayOf } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** Rule 4: a piece of the proposal lies outside the windows of its weekday. No windows at all: unrestricted. */
export function availabilityRefusalFor(
  proposed: TimedProposal,
  windows: readonly AvailabilityWindow[],
): Refusal | undefined {
  if (windows.length === 0) return undefined
  const day = daysTouchedBy(proposed).find((touched) => !isOpen(touched, proposed, windows))
  if (day === undefined) return undefined
  return {
    code: 'outside_availability',
    params: { date: localDateFor(day), windows: windowsOn(day, windows) },
  }
}

function isOpen(day: Day, proposed: TimedProposal, windows: readonly AvailabilityWindow[]): boolean {
  const open = joined(
    windowsOn(day, windows).map(({ start, end }) => ({ start: minuteOfDay(start), end: minuteOfDay(end) })),
  )
  const piece = pieceOn(day, proposed)
  return open.some((window) => contains(window, piece))
}

function windowsOn(day: Day, windows: readonly AvailabilityWindow[]): readonly AvailabilityWindow[] {
  return windows
    .filter(({ weekday }) => weekday === weekdayOf(day))
    .toSorted(
      (a, b) => minuteOfDay(a.start) - minuteOfDay(b.start) || minuteOfDay(a.end) - minuteOfDay(b.end),
    )
}

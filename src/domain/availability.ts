import type { AvailabilityWindow, TimedProposal } from './agenda.ts'
import { contains, daysTouchedBy, type Interval, joined, pieceOn } from './interval.ts'
import { type Day, dayOf, localDateFor, minuteOfDay, weekdayOf, weekStartOf } from './local-time.ts'
import type { Refusal } from './refusal.ts'

const DAYS_PER_WEEK = 7

/** Checks rule 4: the proposal lies within the windows of its weekdays. An empty list means no restriction. */
export function availabilityRefusalFor(
  proposed: TimedProposal,
  windows: readonly AvailabilityWindow[],
): Refusal | undefined {
  if (windows.length === 0) return undefined
  const day = daysTouchedBy(proposed).find((touched) => !isOpen(touched, proposed, windows))
  if (day === undefined) return undefined
  return {
    code: 'outside_availability',
    params: { date: localDateFor(day), windows: windowsOn(weekdayOf(day), validOn(day, windows)) },
  }
}

function isOpen(day: Day, proposed: TimedProposal, windows: readonly AvailabilityWindow[]): boolean {
  const piece = pieceOn(day, proposed)
  return openTimesOf(day, windows).some((open) => contains(open, piece))
}

/** Returns the day's open minutes since midnight, from the windows that are valid on it. */
export function openTimesOf(day: Day, windows: readonly AvailabilityWindow[]): readonly Interval[] {
  return openTimesOn(weekdayOf(day), validOn(day, windows))
}

function validOn(day: Day, windows: readonly AvailabilityWindow[]): readonly AvailabilityWindow[] {
  const date = localDateFor(day)
  return windows.filter(
    (window) =>
      (!window.valid_from || window.valid_from <= date) &&
      (!window.valid_to || date <= window.valid_to) &&
      isInTurn(day, window),
  )
}

export function isInTurn(day: Day, { valid_from, every_weeks = 1 }: AvailabilityWindow): boolean {
  if (every_weeks === 1 || !valid_from) return true
  return ((weekStartOf(day) - weekStartOf(dayOf(valid_from))) / DAYS_PER_WEEK) % every_weeks === 0
}

export function isBounded({ valid_from, valid_to }: AvailabilityWindow): boolean {
  return Boolean(valid_from || valid_to)
}

/** Returns the weekday's open minutes since midnight: sorted, joined where they touch or overlap. */
export function openTimesOn(weekday: number, windows: readonly AvailabilityWindow[]): readonly Interval[] {
  return joined(windows.filter((window) => window.weekday === weekday).map(timesOf))
}

export function windowsOn(
  weekday: number,
  windows: readonly AvailabilityWindow[],
): readonly AvailabilityWindow[] {
  return windows
    .filter((window) => window.weekday === weekday)
    .sort((a, b) => minuteOfDay(a.start) - minuteOfDay(b.start) || minuteOfDay(a.end) - minuteOfDay(b.end))
}

export function timesOf({ start, end }: AvailabilityWindow): Interval {
  return { start: minuteOfDay(start), end: minuteOfDay(end) }
}

import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { isInTurn } from '../../../domain/availability.ts'
import { dayOf, daysLater, type LocalDate, mondayOf } from '../../../domain/local-time.ts'

/** The first and the last day of hours; null if they have none. */
export type HoursPeriod = { readonly valid_from: LocalDate | null; readonly valid_to: LocalDate | null }

/** Ends the hours of a date on the day before, and begins copies of them on it, to be changed. */
export function changedFrom(
  windows: readonly AvailabilityWindow[],
  date: LocalDate,
): readonly AvailabilityWindow[] {
  const lasts = ({ valid_from, valid_to }: AvailabilityWindow) =>
    (!valid_from || valid_from < date) && (!valid_to || date <= valid_to)
  const before = windows.map((one) => (lasts(one) ? { ...one, valid_to: daysLater(date, -1) } : one))
  const after = windows.filter(lasts).map((one) => ({ ...one, valid_from: firstInTurn(date, one) }))
  return [...before, ...after]
}

/** Whether hours hold in some weeks only. They belong to no period, and keep dates of their own. */
export function isInTurns({ every_weeks = 1 }: AvailabilityWindow): boolean {
  return every_weeks > 1
}

/** Returns the first day from a date on in a week in which the hours hold. */
function firstInTurn(date: LocalDate, window: AvailabilityWindow): LocalDate {
  let first = date
  while (!isInTurn(dayOf(first), window)) first = daysLater(mondayOf(first), 7)
  return first
}

/** Returns the periods of hours by date if some hours follow others, as after `changedFrom`; otherwise an empty list. */
export function periodsIn(windows: readonly AvailabilityWindow[]): readonly HoursPeriod[] {
  const follows = windows.some(
    ({ valid_from }) => valid_from && windows.some(({ valid_to }) => valid_to === daysLater(valid_from, -1)),
  )
  if (!follows) return []
  const periods = new Map(windows.filter((one) => !isInTurns(one)).map((one) => [keyOf(one), periodOf(one)]))
  return [...periods.values()].toSorted((a, b) => ((a.valid_from ?? '') < (b.valid_from ?? '') ? -1 : 1))
}

export function periodOf({ valid_from, valid_to }: Partial<HoursPeriod>): HoursPeriod {
  return { valid_from: valid_from ?? null, valid_to: valid_to ?? null }
}

export function isOf(period: HoursPeriod, window: AvailabilityWindow): boolean {
  return !isInTurns(window) && keyOf(period) === keyOf(window)
}

/** Returns the hours of a period without its dates. */
export function undated(
  windows: readonly AvailabilityWindow[],
  period: HoursPeriod,
): readonly AvailabilityWindow[] {
  return windows
    .filter((one) => isOf(period, one))
    .map(({ weekday, start, end }) => ({ weekday, start, end }))
}

/** Replaces the hours of a period. */
export function withPeriod(
  windows: readonly AvailabilityWindow[],
  period: HoursPeriod,
  hours: readonly AvailabilityWindow[],
): readonly AvailabilityWindow[] {
  const others = windows.filter((one) => !isOf(period, one))
  return [...others, ...hours.map((one) => ({ ...one, ...period }))]
}

function keyOf(one: Partial<HoursPeriod>): string {
  const { valid_from, valid_to } = periodOf(one)
  return `${valid_from} ${valid_to}`
}

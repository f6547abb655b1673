import { dayOf, daysLater, type LocalDate, monthsLater } from '../../domain/local-time.ts'
import type { NumbersPeriod } from '../data/numbers.ts'

export const UNITS = ['month', 'quarter', 'year'] as const
export type Unit = (typeof UNITS)[number]

const MONTHS: Readonly<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 }
const MAX_DAYS = 366

/** Returns the month, quarter or year of a day. */
export function periodAround(date: LocalDate, unit: Unit): NumbersPeriod {
  const months = MONTHS[unit]
  const month = Number(date.slice(5, 7)) - 1
  const first = String(month - (month % months) + 1).padStart(2, '0')
  const from = `${date.slice(0, 4)}-${first}-01`
  return { from, to: daysLater(monthsLater(from, months), -1) }
}

/** Returns the unit that a period is exactly one of; undefined for other days. */
export function unitOf(period: NumbersPeriod): Unit | undefined {
  return UNITS.find(
    (unit) =>
      periodAround(period.from, unit).to === period.to &&
      periodAround(period.from, unit).from === period.from,
  )
}

/** Returns the period as long directly before, or after, the given one. */
export function nextTo({ from, to }: NumbersPeriod, side: -1 | 1): NumbersPeriod {
  const unit = unitOf({ from, to })
  if (unit) return periodAround(side < 0 ? daysLater(from, -1) : daysLater(to, 1), unit)
  const days = (dayOf(to) - dayOf(from) + 1) * side
  return { from: daysLater(from, days), to: daysLater(to, days) }
}

/** Whether the service takes the period: not backwards, and at most a year. */
export function isPossible({ from, to }: NumbersPeriod): boolean {
  const days = dayOf(to) - dayOf(from) + 1
  return days >= 1 && days <= MAX_DAYS
}

import type { Format } from './i18n/format.ts'

/** The ISO weekdays: Monday is 1. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** Returns the name of a weekday, formatted from a week that begins on Monday, 5 January 2026. */
export function weekdayName(weekday: number, format: Format): string {
  return format.weekday(`2026-01-${String(4 + weekday).padStart(2, '0')}`)
}

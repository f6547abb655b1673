import type { Format } from './i18n/format.ts'

/** ISO: Monday is 1. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** From any week that begins on Monday the fifth. */
export function weekdayName(weekday: number, format: Format): string {
  return format.weekday(`2026-01-${String(4 + weekday).padStart(2, '0')}`)
}

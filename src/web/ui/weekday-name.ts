import type { Format } from '../i18n/format.ts'

/** Any week that begins on a Monday the fifth would do. */
export function weekdayName(weekday: number, format: Format): string {
  return format.weekday(`2026-01-${String(4 + weekday).padStart(2, '0')}`)
}

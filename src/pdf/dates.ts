import { dateOf, type LocalDate, type LocalDateTime, timeOf } from '../domain/local-time.ts'

const DAY = { day: '2-digit', month: '2-digit', year: 'numeric' } as const

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a date as people write it, by default in figures such as `04.05.2026`. */
export function shownDate(
  date: LocalDate,
  locale: string,
  options: Intl.DateTimeFormatOptions = DAY,
): string {
  return formatFor(locale, options).format(new Date(`${date}T00:00:00Z`))
}

export function shownTime(at: LocalDateTime, locale: string): string {
  return `${shownDate(dateOf(at), locale)} ${timeOf(at)}`
}

/** Returns a format from those made before, because making one takes longer than using it. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
  formats.set(key, format)
  return format
}

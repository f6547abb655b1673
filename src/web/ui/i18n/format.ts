import { dayOf, type LocalDate, midnightOf } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import type { Language } from './i18n.ts'

const MS_PER_MINUTE = 60_000

/** Formats dates, numbers and lists in the reader's language. */
export type Format = {
  /** A BCP 47 tag. */
  readonly locale: string
  /** Mon, 23 Nov; with the year unless it is this one. */
  readonly day: (date: LocalDate) => string
  /** 23 November; with the year unless it is this one. */
  readonly dayInText: (date: LocalDate) => string
  /** Monday, 23 November 2026 */
  readonly longDay: (date: LocalDate) => string
  /** 23 November 2026 */
  readonly date: (date: LocalDate) => string
  /** Monday */
  readonly weekday: (date: LocalDate) => string
  /** 3 – 14 August; with the year unless it is this one. */
  readonly days: (from: LocalDate, to: LocalDate) => string
  /** in 4 weeks, tomorrow, 3 days ago */
  readonly away: (count: number, unit: 'day' | 'week' | 'month' | 'year') => string
  /** Whole percent, from a share: 0.4 is 40%. */
  readonly percent: (share: number) => string
  /** Two decimals at most. */
  readonly units: (units: number) => string
  /** 3:05 hours, from minutes. */
  readonly duration: (minutes: number) => string
  /** Compares by the alphabet of the language: Ö is next to O. */
  readonly compare: (a: string, b: string) => number
}

const formats = new Map<string, Format>()

/** Returns the formats of British English, or of another language as in the country. The zone's clock determines the current year. */
export function formatFor(
  language: Language,
  { country, timezone }: { readonly country: string; readonly timezone: string },
): Format {
  const locale = language === 'en' ? 'en-GB' : `${language}-${country}`
  const key = `${locale} ${timezone}`
  const known = formats.get(key)
  if (known) return known
  const made = makeFormat(locale, (date) => yearOf(date) === yearOf(localToday(new Date(), timezone)))
  formats.set(key, made)
  return made
}

function makeFormat(locale: string, isThisYear: (date: LocalDate) => boolean): Format {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  const withYear = (options: Intl.DateTimeFormatOptions) => {
    const [short, full] = [dates(options), dates({ ...options, year: 'numeric' })]
    return (...days: readonly LocalDate[]) => (days.every(isThisYear) ? short : full)
  }
  const day = withYear({ weekday: 'short', day: 'numeric', month: 'short' })
  const longDay = dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const date = dates({ day: 'numeric', month: 'long', year: 'numeric' })
  const weekday = dates({ weekday: 'long' })
  const days = withYear({ day: 'numeric', month: 'long' })
  const away = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const units = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  return {
    locale,
    day: (one) => day(one).format(instantOf(one)),
    dayInText: (one) => days(one).format(instantOf(one)),
    longDay: (one) => longDay.format(instantOf(one)),
    date: (one) => date.format(instantOf(one)),
    weekday: (one) => weekday.format(instantOf(one)),
    days: (from, to) => days(from, to).formatRange(instantOf(from), instantOf(to)),
    away: (count, unit) => away.format(count, unit),
    percent: (share) => percent.format(share),
    units: (value) => units.format(value),
    duration: (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
    compare: new Intl.Collator(locale).compare,
  }
}

function yearOf(date: LocalDate): string {
  return date.slice(0, 4)
}

/** Midnight UTC, so that no browser's zone shifts the day. */
function instantOf(date: LocalDate): number {
  return midnightOf(dayOf(date)) * MS_PER_MINUTE
}

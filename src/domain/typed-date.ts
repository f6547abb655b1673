import { monthIn, plainWord, relativeDaysIn, weekdayIn } from './date-names.ts'
import {
  dayOf,
  daysLater,
  isLocalDate,
  type LocalDate,
  localDateFor,
  weekdayOf,
  YEARS,
} from './local-time.ts'
import { type RelativeDate, relativeDateIn } from './relative-date.ts'

/** The rule for a missing year: `coming` for plans, `over` for past events, `birth` for birthdays. */
export type DateKind = 'coming' | 'over' | 'birth'

/** The reason why a text is not a date; `year` is set if it is only a year. */
export type DateFault = {
  readonly fault: 'no_such_day' | 'unreadable' | 'no_year' | 'unlikely_year' | 'unlikely_age'
  readonly year?: number
}

/** The date of a text, with the other reading of `next thursday`, and whether it stands for its week. */
export type TypedDate = RelativeDate | DateFault

type Reading = {
  readonly kind: DateKind
  readonly today: LocalDate
  /** The earliest valid day. A date without a year is the first one from `DAYS_TOO_EARLY` before it. */
  readonly notBefore?: LocalDate | undefined
}

/**
 * The days by which a date without a year may be in the past if it should be coming (it has just happened), or in the future
 * if it should be over (a slip, not a day of the previous year).
 */
const RECENT_DAYS = 31
/** The days by which a date without a year may precede `notBefore`: a slip, not a day of the next year. */
const DAYS_TOO_EARLY = 91
/** The maximum years that a two-digit year may lie ahead. */
const AHEAD_YEARS = 20
export const STUDENT_AGE = { min: 12, max: 110 } as const

/** Numbers and words with a separator in between. A doubled separator is accepted as a slip. */
const WRITTEN =
  /^(?:\d{1,8}(?:st|nd|rd|th)?|\p{L}+)(?:(?: ?([./,-])\1? ?| )(?:\d{1,8}(?:st|nd|rd|th)?|\p{L}+))*[.,]?$/u
const COMPACT = /^(\d{2})(\d{2})(\d{4}|\d{2})$/
const COMPACT_ISO = /^(\d{4})(\d{2})(\d{2})$/

/** Parses German and British formats, ISO 8601 and words. Nonexistent days and American order are faults, never guessed. */
export function typedDate(text: string, reading: Reading): TypedDate {
  const written = plainWord(text)
  const relative = relativeDaysIn(written)
  if (relative !== undefined && reading.kind !== 'birth') return { date: daysLater(reading.today, relative) }
  const near = reading.kind === 'birth' ? undefined : relativeDateIn(written, reading.today)
  if (near) return near
  if (!WRITTEN.test(written)) return UNREADABLE
  const tokens = written.split(/[\s./,-]+/).filter((token) => token !== '')
  const weekday = weekdayIn(tokens[0] ?? '')
  if (weekday !== undefined && tokens.length === 1) return nextWeekday(weekday, reading)
  const parts = partsOf(weekday === undefined ? tokens : tokens.slice(1))
  if (!parts) return UNREADABLE
  if (!('day' in parts)) return { fault: 'unreadable', year: parts.year }
  const found = dateFor(parts, reading)
  if (weekday === undefined || !('date' in found)) return found
  return weekdayOf(dayOf(found.date)) === weekday ? found : NO_SUCH_DAY
}

/** Returns the next such weekday after today, or the last one before it. Never today: people write “today” for that. */
function nextWeekday(weekday: number, { kind, today, notBefore = '' }: Reading): TypedDate {
  if (kind === 'birth') return UNREADABLE
  if (kind === 'over') {
    const yesterday = dayOf(today) - 1
    return { date: localDateFor(yesterday - ((weekdayOf(yesterday) - weekday + 7) % 7)) }
  }
  const first = Math.max(dayOf(today) + 1, notBefore === '' ? 0 : dayOf(notBefore))
  return { date: localDateFor(first + ((weekday - weekdayOf(first) + 7) % 7)) }
}

const UNREADABLE: DateFault = { fault: 'unreadable' }
const NO_SUCH_DAY: DateFault = { fault: 'no_such_day' }

type Parts = {
  readonly day: number
  readonly month: number
  /** Two or four digits; empty if there is none. */
  readonly year: string
}

/** Returns day, month and year, or the year alone. */
function partsOf(tokens: readonly string[]): Parts | { readonly year: number } | undefined {
  const [first = '', second = '', third = '', ...more] = tokens
  if (more.length > 0 || first === '') return undefined
  if (second === '') return compactParts(first)
  if (/^\d{4}$/.test(first)) return third === '' ? undefined : partsFor(third, second, first)
  if (/^\d/.test(first)) return partsFor(first, second, third)
  return monthIn(first) === undefined ? undefined : partsFor(second, first, third)
}

function compactParts(token: string): Parts | { readonly year: number } | undefined {
  if (/^(?:19|20)\d\d$/.test(token)) return { year: Number(token) }
  const [, day = '', month = '', year = ''] = COMPACT.exec(token) ?? []
  const [, isoYear = '', isoMonth = '', isoDay = ''] = COMPACT_ISO.exec(token) ?? []
  const isIso = isoYear !== '' && !/^(?:19|20)/.test(year)
  return isIso ? partsFor(isoDay, isoMonth, isoYear) : day === '' ? undefined : partsFor(day, month, year)
}

function partsFor(day: string, month: string, year: string): Parts | undefined {
  if (!/^\d{1,2}(?:st|nd|rd|th)?$/.test(day) || !/^(?:|\d{2}|\d{4})$/.test(year)) return undefined
  const number = /^\d{1,2}$/.test(month) ? Number(month) : monthIn(month)
  return number === undefined ? undefined : { day: Number.parseInt(day, 10), month: number, year }
}

function dateFor(parts: Parts, reading: Reading): TypedDate {
  if (parts.year === '') return withoutYear(parts, reading)
  const year = yearOf(parts, reading)
  const date = dayIn(year, parts)
  if (date !== undefined) return { date }
  const isRealDay = dayIn(year % 4 === 0 ? 2000 : 2001, parts) !== undefined
  if ((year >= YEARS.min && year <= YEARS.max) || !isRealDay) return NO_SUCH_DAY
  return { fault: reading.kind === 'birth' ? 'unlikely_age' : 'unlikely_year' }
}

function dayIn(year: number, { month, day }: Parts): LocalDate | undefined {
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isLocalDate(date) ? date : undefined
}

function withoutYear(parts: Parts, { kind, today, notBefore }: Reading): TypedDate {
  const near = Number((notBefore || today).slice(0, 4))
  const dates = [near - 1, near, near + 1].flatMap((year) => dayIn(year, parts) ?? [])
  if (dates.length === 0) return NO_SUCH_DAY
  if (kind === 'birth') return { fault: 'no_year' }
  const first = notBefore ? daysLater(notBefore, -DAYS_TOO_EARLY) : daysLater(today, -RECENT_DAYS)
  const last = daysLater(today, RECENT_DAYS)
  const date = kind === 'over' ? dates.findLast((one) => one <= last) : dates.find((one) => one >= first)
  return date === undefined ? NO_SUCH_DAY : { date }
}

/** Completes a two-digit year to a plausible year of birth, or to the latest year that is not too far ahead. */
function yearOf({ year, month, day }: Parts, { kind, today }: Reading): number {
  if (year.length === 4) return Number(year)
  const recent = 2000 + Number(year)
  if (kind === 'birth') {
    const date = dayIn(recent - 100, { year, month, day })
    return date !== undefined && ageOn(date, today) <= STUDENT_AGE.max ? recent - 100 : recent
  }
  const latest = Number(today.slice(0, 4)) + (kind === 'over' ? 0 : AHEAD_YEARS)
  return recent <= latest ? recent : recent - 100
}

/** Returns the age in years; negative before birth. */
export function ageOn(birth: LocalDate, day: LocalDate): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4))
  return day.slice(5) < birth.slice(5) ? years - 1 : years
}

export function birthFaultFor(
  birth: LocalDate,
  today: LocalDate,
): 'in_the_future' | 'unlikely_age' | undefined {
  if (birth > today) return 'in_the_future'
  const age = ageOn(birth, today)
  return age < STUDENT_AGE.min || age > STUDENT_AGE.max ? 'unlikely_age' : undefined
}

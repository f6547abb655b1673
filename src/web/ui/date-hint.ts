import type { TFunction } from 'i18next'
import { dayOf, type LocalDate } from '../../domain/local-time.ts'
import { ageOn, birthFaultFor, type DateKind } from '../../domain/typed-date.ts'
import type { Format } from './i18n/format.ts'

/** A description of a date, and whether it is probably a mistake. */
export type DateHint = { readonly text: string; readonly isOdd: boolean }

/** The age above which a birth date is probably a mistake. */
const OLD = 80
const FAR_MONTHS = 9
const LONG_AGO_MONTHS = -24
const DAYS_IN_WORDS = 14
const WEEKS_IN_WORDS = 9
const DAYS_PER_MONTH = 30.44
const MONTHS_IN_WORDS = 24

type Context = { readonly today: LocalDate; readonly format: Format; readonly t: TFunction }

/** Returns the weekday of a date and its distance, or the age of a person born on it. */
export function dateHintFor(date: LocalDate, kind: DateKind, { today, format, t }: Context): DateHint {
  if (kind === 'birth') {
    const fault = birthFaultFor(date, today)
    const age = ageOn(date, today)
    return fault === 'in_the_future'
      ? { text: t('date.in_the_future'), isOdd: true }
      : { text: t('date.age', { count: age }), isOdd: fault !== undefined || age > OLD }
  }
  const text = `${format.day(date)}, ${distance(dayOf(date) - dayOf(today), format)}`
  if (kind === 'over') return { text, isOdd: date > today || date < monthsLater(today, LONG_AGO_MONTHS) }
  if (date < today) return { text: t('date.past', { words: text }), isOdd: true }
  return { text, isOdd: date > monthsLater(today, FAR_MONTHS) }
}

function distance(days: number, { away }: Format): string {
  const far = Math.abs(days)
  if (far < DAYS_IN_WORDS) return away(days, 'day')
  if (far < WEEKS_IN_WORDS * 7) return away(Math.round(days / 7), 'week')
  const months = Math.round(days / DAYS_PER_MONTH)
  return Math.abs(months) < MONTHS_IN_WORDS ? away(months, 'month') : away(Math.round(months / 12), 'year')
}

/** Adds months and keeps the day, even if that date does not exist: for comparison only. */
function monthsLater(date: LocalDate, months: number): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  const later = year * 12 + month - 1 + months
  return `${Math.floor(later / 12)}-${String((later % 12) + 1).padStart(2, '0')}${date.slice(7)}`
}

import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const WRITTEN = /^(\d{1,2})[./ -](\d{1,2})(?:[./ -](\d{4}|\d{2})?)?$/
const COMPACT = /^(\d{2})(\d{2})(\d{4}|\d{2})$/

/** A year of two digits lies at most so many years ahead. */
const AHEAD_YEARS = 20

/**
 * The day that was typed: day, month, year, as Germans and Britons write it, or ISO 8601. Without a year it is that of `near`.
 * Nothing if it is not a day of the calendar: one that is guessed would be booked.
 */
export function typedDate(text: string, near: LocalDate): LocalDate | null {
  const iso = ISO.exec(text.trim())
  const [, day, month, year] = WRITTEN.exec(text.trim()) ?? COMPACT.exec(text.trim()) ?? []
  const parts = iso ? iso.slice(1) : [fullYear(year, Number(near.slice(0, 4))), month, day]
  const date = parts.map((part = '') => part.padStart(2, '0')).join('-')
  return isLocalDate(date) ? date : null
}

function fullYear(year: string | undefined, nearYear: number): string {
  if (year === undefined) return String(nearYear)
  if (year.length === 4) return year
  const recent = 2000 + Number(year)
  return String(recent <= nearYear + AHEAD_YEARS ? recent : recent - 100)
}

import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const WRITTEN = /^(\d{1,2})[./ -](\d{1,2})(?:[./ -](\d{4}|\d{2})?)?$/
const COMPACT = /^(\d{2})(\d{2})(\d{4}|\d{2})$/

/** A year of two digits lies at most so many years ahead. */
const AHEAD_YEARS = 20

/**
 * The day that was typed: day, month, year, as Germans and Britons write it, or ISO 8601. Without a year it is the next one,
 * counted from `near` on; of what is over, the last one. Nothing if it is not a day of the calendar: one that is guessed would
 * be booked.
 */
export function typedDate(text: string, near: LocalDate, isOver = false): LocalDate | null {
  const iso = ISO.exec(text.trim())
  const [, day, month, year] = WRITTEN.exec(text.trim()) ?? COMPACT.exec(text.trim()) ?? []
  if (iso) return dateFor(iso[1], iso[2], iso[3])
  const nearYear = Number(near.slice(0, 4))
  if (year !== undefined)
    return dateFor(fullYear(year, isOver ? nearYear : nearYear + AHEAD_YEARS), month, day)
  const dates = [nearYear, isOver ? nearYear - 1 : nearYear + 1].map((one) =>
    dateFor(String(one), month, day),
  )
  return dates.find((date) => date !== null && (isOver ? date <= near : date >= near)) ?? null
}

function dateFor(year = '', month = '', day = ''): LocalDate | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isLocalDate(date) ? date : null
}

/** Of two digits: the last year of the kind that is not after `latest`. */
function fullYear(year: string, latest: number): string {
  if (year.length === 4) return year
  const recent = 2000 + Number(year)
  return String(recent <= latest ? recent : recent - 100)
}

import type { Absence, Vacation } from './agenda.ts'
import { daysLater, type LocalDate, type LocalDateTime, type TimeOfDay } from './local-time.ts'

/** An instructor's planned absence: whole days, or from a time on the first day to a time on the last. */
export type AbsencePeriod = {
  readonly start_date: LocalDate
  readonly end_date: LocalDate
  readonly start_time?: TimeOfDay | null
  readonly end_time?: TimeOfDay | null
  readonly note?: string | null
}

/** An instructor's days off, and absences of parts of days. */
export type AbsenceLists = { readonly vacations: readonly Vacation[]; readonly absences: readonly Absence[] }

/** Returns the half-open interval of an absence. */
export function absenceTimesFor({ start_date, end_date, start_time, end_time }: AbsencePeriod): {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
} {
  const isToMidnight = (end_time ?? '24:00') === '24:00'
  return {
    start_at: `${start_date} ${start_time ?? '00:00'}`,
    end_at: isToMidnight ? `${daysLater(end_date, 1)} 00:00` : `${end_date} ${end_time}`,
  }
}

/** Adds an absence to the instructor's lists: whole days become a vacation. */
export function listsWith<Lists extends Partial<AbsenceLists>>(
  lists: Lists,
  period: AbsencePeriod,
): AbsenceLists {
  const { vacations = [], absences = [] } = lists
  const { start_at, end_at } = absenceTimesFor(period)
  const { start_date, end_date, note = null } = period
  const isWhole = (period.start_time ?? '00:00') === '00:00' && (period.end_time ?? '24:00') === '24:00'
  return isWhole
    ? { vacations: withOne(vacations, { start_date, end_date, note }), absences }
    : { vacations, absences: withOne(absences, { start_at, end_at, note }) }
}

export function absencesWith(absences: readonly Absence[], period: AbsencePeriod): readonly Absence[] {
  return withOne(absences, { ...absenceTimesFor(period), note: period.note ?? null })
}

/** Adds an entry, or replaces the one with the same times. Keeps the earlier note if the new entry has none. */
function withOne<Entry extends Readonly<Record<string, string | null>> & { readonly note: string | null }>(
  list: readonly Entry[],
  entry: Entry,
): readonly Entry[] {
  const isSame = (other: Entry) =>
    Object.keys(entry).every((name) => name === 'note' || other[name] === entry[name])
  const at = list.findIndex(isSame)
  return at < 0 ? [...list, entry] : list.with(at, { ...entry, note: entry.note ?? list[at]?.note ?? null })
}

/** Adds the requested days unless one vacation already contains them all. */
export function vacationsWith<Entry extends Vacation>(
  vacations: readonly Entry[],
  days: Entry,
): readonly Entry[] {
  const hasAll = ({ start_date, end_date }: Entry) =>
    start_date <= days.start_date && days.end_date <= end_date
  return vacations.some(hasAll) ? vacations : [...vacations, days]
}

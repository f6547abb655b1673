import type { Absence, Vacation } from './agenda.ts'
import { daysLater, type LocalDate, type LocalDateTime, type TimeOfDay } from './local-time.ts'

/** Days, or parts of the first and the last, on which an instructor is about to be away. */
export type AbsencePeriod = {
  readonly start_date: LocalDate
  readonly end_date: LocalDate
  readonly start_time?: TimeOfDay | null
  readonly end_time?: TimeOfDay | null
  readonly note?: string | null
}

/** The instructor's lists of days off and of parts of days. */
export type AbsenceLists = { readonly vacations: readonly Vacation[]; readonly absences: readonly Absence[] }

/** Returns the time of an absence, half-open. */
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

/** Returns the instructor's lists with an absence: whole days are days off. */
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

/** Adds an entry unless the list has one of the same times, which takes its note: nobody is away twice at once. */
function withOne<Entry extends Readonly<Record<string, string | null>> & { readonly note: string | null }>(
  list: readonly Entry[],
  entry: Entry,
): readonly Entry[] {
  const isSame = (other: Entry) =>
    Object.keys(entry).every((name) => name === 'note' || other[name] === entry[name])
  const at = list.findIndex(isSame)
  return at < 0 ? [...list, entry] : list.with(at, { ...entry, note: entry.note ?? list[at]?.note ?? null })
}

/** Returns the vacations with days that were asked for, unless one of them has all these days. */
export function vacationsWith<Entry extends Vacation>(
  vacations: readonly Entry[],
  days: Entry,
): readonly Entry[] {
  const hasAll = ({ start_date, end_date }: Entry) =>
    start_date <= days.start_date && days.end_date <= end_date
  return vacations.some(hasAll) ? vacations : [...vacations, days]
}

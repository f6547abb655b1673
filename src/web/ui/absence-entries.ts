import type { Absence } from '../../domain/agenda.ts'
import { dateOf, isLocalDateTime, type LocalDate, type TimeOfDay, timeOf } from '../../domain/local-time.ts'

/** An absence in a form; dates and times are empty until they are filled in. */
export type AbsenceEntry = {
  readonly start_date: LocalDate | ''
  readonly start_time: TimeOfDay | ''
  readonly end_date: LocalDate | ''
  readonly end_time: TimeOfDay | ''
  readonly note: string
}

export function absenceEntryOf({ start_at, end_at, note }: Absence): AbsenceEntry {
  return {
    start_date: dateOf(start_at),
    start_time: timeOf(start_at),
    end_date: dateOf(end_at),
    end_time: timeOf(end_at),
    note: note ?? '',
  }
}

export function absenceOf({ start_date, start_time, end_date, end_time, note }: AbsenceEntry): Absence {
  const [start_at, end_at] = [`${start_date} ${start_time}`, `${end_date} ${end_time}`]
  return { start_at, end_at, note: note.trim() || null }
}

/** Whether an entry is filled in, and ends after its start. */
export function isWholeAbsence(entry: AbsenceEntry): boolean {
  const { start_at, end_at } = absenceOf(entry)
  return isLocalDateTime(start_at) && isLocalDateTime(end_at) && start_at < end_at
}

import type { Absence } from '../../domain/agenda.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import type { Format } from './i18n/format.ts'

/** Returns the times of an absence in words: 3 May 2027, 10:00–12:00, with the date of its end if that is another. */
export function absenceText(
  { start_at, end_at, note }: Absence,
  { dayInText }: Pick<Format, 'dayInText'>,
): string {
  const [from, to] = [`${dayInText(dateOf(start_at))}, ${timeOf(start_at)}`, timeOf(end_at)]
  const isOneDay = dateOf(start_at) === dateOf(end_at)
  const times = isOneDay ? `${from}–${to}` : `${from} – ${dayInText(dateOf(end_at))}, ${to}`
  return [times, note].filter(Boolean).join(' ')
}

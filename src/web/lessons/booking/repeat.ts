import type { NewSeries } from '../../../contract/series.ts'
import { dateOf, isLocalDate, isLocalDateTime, type LocalDate } from '../../../domain/local-time.ts'
import { SERIES_COUNT, SERIES_WEEKS } from '../../../domain/ranges.ts'
import { countOf, endsInTime, repeated } from '../../../domain/repeat.ts'
import { type LessonForm, newAppointmentOf } from './form.ts'

/** Every so many weeks, a number of times or until a day; the day is empty while its field is. */
export type WeeklyRepeat = {
  readonly every_weeks: number
} & ({ readonly count: number } | { readonly until: LocalDate })

export const FIRST_REPEAT: WeeklyRepeat = { every_weeks: 1, count: 10 }

/** Returns the request for a series; undefined if the weeks, the number of lessons or their end are invalid. */
export function seriesOf(form: LessonForm, repeat: WeeklyRepeat): NewSeries | undefined {
  const appointment = newAppointmentOf(form)
  if (appointment.start_at === '') return undefined
  const { min, max } = SERIES_WEEKS
  if (repeat.every_weeks < min || repeat.every_weeks > max) return undefined
  const count = lessonsOf(form, repeat)
  if (count === undefined || count < SERIES_COUNT.min || count > SERIES_COUNT.max) return undefined
  return endsInTime(appointment, repeat) ? { appointment, repeat, on_refusal: 'skip' } : undefined
}

/** Counts the lessons; undefined while unknown. */
export function lessonsOf({ date }: LessonForm, repeat: WeeklyRepeat): number | undefined {
  if ('count' in repeat) return repeat.count
  const isKnown = isLocalDate(date) && isLocalDate(repeat.until) && repeat.every_weeks > 0
  return isKnown ? countOf({ start_at: `${date} 00:00` }, repeat) : undefined
}

/** Returns the day of the last lesson; empty while unknown. */
export function lastDayOf(form: LessonForm, repeat: WeeklyRepeat): LocalDate {
  if ('until' in repeat) return repeat.until
  const { start_at, end_at } = newAppointmentOf(form)
  if (start_at === '' || repeat.count > SERIES_COUNT.max) return ''
  const last = repeated({ start_at, end_at }, repeat).at(-1)
  return last && isLocalDateTime(last.start_at) ? dateOf(last.start_at) : ''
}

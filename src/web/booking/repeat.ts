import type { NewSeries } from '../../contract/series.ts'
import {
  dateOf,
  dayOf,
  isLocalDate,
  isLocalDateTime,
  type LocalDate,
  weekdayOf,
} from '../../domain/local-time.ts'
import { SERIES_COUNT, SERIES_WEEKS } from '../../domain/ranges.ts'
import { endsInTime, repeated, repetitionsOf } from '../../domain/repeat.ts'
import { type LessonForm, newAppointmentOf } from './form.ts'

/**
 * A weekly repetition, for classes on several weekdays if wanted: a number of times, until a day, or once for each topic.
 * `until` is empty while its field is.
 */
export type WeeklyRepeat = {
  readonly every_weeks: number
  readonly weekdays?: readonly number[]
} & ({ readonly count: number } | { readonly until: LocalDate } | Course)

type Course = {
  readonly topics: readonly string[]
  /** The lesson type that the topics belong to. */
  readonly lesson_type_id: string
}

export const FIRST_REPEAT = { every_weeks: 1, count: 10 } as const satisfies WeeklyRepeat

/** Returns the repetition, without weekdays unless the lesson is a class, and without topics of another lesson type. */
export function fittingRepeat(repeat: WeeklyRepeat, form: LessonForm, isGroup: boolean): WeeklyRepeat {
  const { weekdays: _, ...rest } = repeat
  const kept = isGroup ? repeat : rest
  if (!('topics' in kept) || (isGroup && kept.lesson_type_id === form.lesson_type_id)) return kept
  const { topics: __, lesson_type_id: ___, ...others } = kept
  return { ...others, count: FIRST_REPEAT.count }
}

/** Returns the request for a series; undefined if the weeks, the number of lessons or their end are invalid. */
export function seriesOf(form: LessonForm, repeat: WeeklyRepeat): NewSeries | undefined {
  const appointment = newAppointmentOf(form)
  if (appointment.start_at === '') return undefined
  const { min, max } = SERIES_WEEKS
  if (repeat.every_weeks < min || repeat.every_weeks > max) return undefined
  const dates = datesOf(form, repeat)
  if (!endsInTime(appointment, dates)) return undefined
  if ('topics' in repeat) {
    const { topic: _, ...untitled } = appointment
    const { count: __, ...rest } = dates
    return { appointment: untitled, repeat: rest, topics: [...repeat.topics], on_refusal: 'shift' }
  }
  const count = lessonCountFor(form, repeat)
  if (count === undefined || count < SERIES_COUNT.min || count > SERIES_COUNT.max) return undefined
  return { appointment, repeat: dates, on_refusal: 'skip' }
}

/** Returns the number of lessons; undefined while the dates are incomplete. */
export function lessonCountFor(form: LessonForm, repeat: WeeklyRepeat): number | undefined {
  if ('count' in repeat) return repeat.count
  if ('topics' in repeat) return repeat.topics.length
  const isKnown = isLocalDate(form.date) && isLocalDate(repeat.until) && repeat.every_weeks > 0
  return isKnown ? repetitionsOf({ start_at: `${form.date} 00:00` }, datesOf(form, repeat)) : undefined
}

/** Returns the day of the last lesson; empty while it cannot be computed. */
export function lastDayOf(form: LessonForm, repeat: WeeklyRepeat): LocalDate {
  if ('until' in repeat) return repeat.until
  const { start_at, end_at } = newAppointmentOf(form)
  const dates = datesOf(form, repeat)
  if (start_at === '' || (dates.count ?? 0) > SERIES_COUNT.max) return ''
  const last = repeated({ start_at, end_at }, dates).at(-1)
  return last && isLocalDateTime(last.start_at) ? dateOf(last.start_at) : ''
}

/** Returns the repetition for the request. Its weekdays, if any, include the first lesson's. */
function datesOf({ date }: LessonForm, { every_weeks, weekdays = [], ...repeat }: WeeklyRepeat) {
  const isKnown = isLocalDate(date) && weekdays.length > 0
  const days = isKnown ? [...new Set([weekdayOf(dayOf(date)), ...weekdays])].toSorted((a, b) => a - b) : []
  return {
    every_weeks,
    ...(isKnown && { weekdays: days }),
    ...('topics' in repeat ? { count: repeat.topics.length } : repeat),
  } as { every_weeks: number; weekdays?: number[]; count?: number; until?: LocalDate }
}

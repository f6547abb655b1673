import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { type Interval, intervalOf, pieceOn } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  type LocalDate,
  type LocalDateTime,
  minuteOfDay,
  timeOf,
} from '../../domain/local-time.ts'

export const MINUTES_PER_HOUR = 60

/** The minutes by which lessons move. */
export const STEP_MINUTES = 15
const EARLIEST_OPENING = 8 * MINUTES_PER_HOUR
const LATEST_CLOSING = 18 * MINUTES_PER_HOUR

/** The minute of the day to scroll to unless a lesson is earlier. */
const USUAL_START = 7 * MINUTES_PER_HOUR

/** The past minutes to show on the current day. */
const BEFORE_NOW = 2 * MINUTES_PER_HOUR

/** The instructors, days and lessons on the board. */
export type VisibleBoard = {
  readonly instructors: readonly Instructor[]
  readonly dates: readonly LocalDate[]
  /** May include lessons of other instructors and days. */
  readonly lessons: readonly Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>[]
}

/** Returns the whole hours with work or lessons, at least 8 to 18, in minutes of the day. */
export function openingHours(visible: VisibleBoard): Interval {
  const windows = visible.instructors.flatMap(({ availability_windows }) => availability_windows)
  const taken = takenTimes(visible)
  const first = [...windows.map(({ start }) => minuteOfDay(start)), ...taken.map(({ start }) => start)]
  const last = [...windows.map(({ end }) => minuteOfDay(end)), ...taken.map(({ end }) => end)]
  return {
    start: hourOf(Math.min(EARLIEST_OPENING, ...first)),
    end: Math.ceil(Math.max(LATEST_CLOSING, ...last) / MINUTES_PER_HOUR) * MINUTES_PER_HOUR,
  }
}

/** Returns the minute of the day to scroll to: the morning or an earlier lesson; on the current day shortly before now. */
export function initialScroll(visible: VisibleBoard, now: LocalDateTime): number {
  if (visible.dates.includes(dateOf(now))) return Math.max(hourOf(minuteOfDay(timeOf(now))) - BEFORE_NOW, 0)
  return Math.min(USUAL_START, ...takenTimes(visible).map(({ start }) => hourOf(start)))
}

function hourOf(minute: number): number {
  return Math.floor(minute / MINUTES_PER_HOUR) * MINUTES_PER_HOUR
}

function takenTimes({ instructors, dates, lessons }: VisibleBoard): readonly Interval[] {
  const ids = new Set(instructors.map(({ id }) => id))
  const theirs = lessons.filter(({ instructor_id }) => ids.has(instructor_id)).map(intervalOf)
  return dates.flatMap((date) => {
    const day = dayOf(date)
    return theirs.map((lesson) => pieceOn(day, lesson)).filter(({ start, end }) => start < end)
  })
}

import type { Calendar } from '@event-calendar/core'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { type Interval, intervalOf, pieceOn } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  type LocalDate,
  type LocalDateTime,
  minuteOf,
  minuteOfDay,
} from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'

const MINUTES_PER_HOUR = 60

/** The minutes by which lessons move. */
export const STEP_MINUTES = 15
const EARLIEST_OPENING = 8 * MINUTES_PER_HOUR
const LATEST_CLOSING = 18 * MINUTES_PER_HOUR

/** The hour to scroll to unless a lesson is earlier. */
const USUAL_HOUR = 7

/** The past hours to show on the current day. */
const HOURS_BEFORE_NOW = 2

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** Returns the times of an event, such as 08:00–09:30. `Intl` would take a tenth of the time in which a board is drawn. */
function timesText(start: Date, end: Date | null): string {
  return `${clockText(start)}–${end ? clockText(end) : ''}`
}

function clockText(time: Date): string {
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
}

/** The constant options: quarter hours, tall enough for a name in a lesson of one unit. */
export const GRID: Calendar.Options = {
  height: '100%',
  headerToolbar: { start: '', center: '', end: '' },
  allDaySlot: false,
  firstDay: 1,
  slotDuration: '00:15',
  slotLabelInterval: '01:00',
  snapDuration: `00:${STEP_MINUTES}`,
  slotHeight: 16,
  slotLabelFormat: CLOCK,
  eventTimeFormat: timesText,
  slotEventOverlap: false,
  nowIndicator: true,
  selectable: true,
  longPressDelay: 400,
  eventDragMinDistance: 5,
}

/** The instructors, days and lessons on the board. */
export type VisibleBoard = {
  readonly instructors: readonly Instructor[]
  readonly dates: readonly LocalDate[]
  /** May include lessons of other instructors and days. */
  readonly lessons: readonly Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>[]
}

/** Returns the hours with work or lessons, at least 8 to 18. Whole hours, because the labels count from the first. */
export function openingHours(visible: VisibleBoard): Pick<Calendar.Options, 'slotMinTime' | 'slotMaxTime'> {
  const windows = visible.instructors.flatMap(({ availability_windows }) => availability_windows)
  const taken = takenTimes(visible)
  const first = [...windows.map(({ start }) => minuteOfDay(start)), ...taken.map(({ start }) => start)]
  const last = [...windows.map(({ end }) => minuteOfDay(end)), ...taken.map(({ end }) => end)]
  return {
    slotMinTime: `${Math.floor(Math.min(EARLIEST_OPENING, ...first) / MINUTES_PER_HOUR)}:00`,
    slotMaxTime: `${Math.ceil(Math.max(LATEST_CLOSING, ...last) / MINUTES_PER_HOUR)}:00`,
  }
}

/** Returns the time to scroll to: the morning or an earlier lesson; on the current day shortly before now. */
export function initialScrollTime(visible: VisibleBoard, now: LocalDateTime): string {
  if (visible.dates.includes(dateOf(now))) {
    return `${Math.max(Number(now.slice(11, 13)) - HOURS_BEFORE_NOW, 0)}:00`
  }
  const starts = takenTimes(visible).map(({ start }) => Math.floor(start / MINUTES_PER_HOUR))
  return `${Math.min(USUAL_HOUR, ...starts)}:00`
}

function takenTimes({ instructors, dates, lessons }: VisibleBoard): readonly Interval[] {
  const ids = new Set(instructors.map(({ id }) => id))
  const theirs = lessons.filter(({ instructor_id }) => ids.has(instructor_id)).map(intervalOf)
  return dates.flatMap((date) => {
    const day = dayOf(date)
    return theirs.map((lesson) => pieceOn(day, lesson)).filter(({ start, end }) => start < end)
  })
}

/** Returns the zone's current offset for the calendar's line at now, independent of the browser's zone. */
export function offsetNow(timezone: string, now: Date): string {
  const ahead = minuteOf(localNow(now, timezone)) - Math.floor(now.getTime() / 60_000)
  const size = Math.abs(ahead)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(size / MINUTES_PER_HOUR))}:${two(size % MINUTES_PER_HOUR)}`
}

import type { Calendar } from '@event-calendar/core'
import type { Instructor } from '../../contract/instructor.ts'
import { type LocalDate, type LocalDateTime, minuteOf, minuteOfDay } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'

const MINUTES_PER_HOUR = 60
const EARLIEST_OPENING = 8 * MINUTES_PER_HOUR
const LATEST_CLOSING = 18 * MINUTES_PER_HOUR

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** What never changes: a grid of quarters of an hour, tall enough for the name of who comes for one unit. */
export const GRID: Calendar.Options = {
  height: '100%',
  headerToolbar: { start: '', center: '', end: '' },
  allDaySlot: false,
  firstDay: 1,
  slotDuration: '00:15',
  slotLabelInterval: '01:00',
  snapDuration: '00:15',
  slotHeight: 16,
  slotLabelFormat: CLOCK,
  eventTimeFormat: CLOCK,
  dayHeaderFormat: { weekday: 'short', day: 'numeric', month: 'numeric' },
  slotEventOverlap: false,
  flexibleSlotTimeLimits: true,
  nowIndicator: true,
  selectable: true,
  longPressDelay: 400,
  eventDragMinDistance: 5,
}

/** The hours in which anybody shown works, in whole hours. Lessons outside widen the grid by themselves. */
export function openingHours(
  instructors: readonly Instructor[],
): Pick<Calendar.Options, 'slotMinTime' | 'slotMaxTime'> {
  const windows = instructors.flatMap(({ availability_windows }) => availability_windows)
  const first = Math.min(EARLIEST_OPENING, ...windows.map(({ start }) => minuteOfDay(start)))
  const last = Math.max(LATEST_CLOSING, ...windows.map(({ end }) => minuteOfDay(end)))
  return {
    slotMinTime: `${Math.floor(first / MINUTES_PER_HOUR)}:00`,
    slotMaxTime: `${Math.ceil(last / MINUTES_PER_HOUR)}:00`,
  }
}

/** The time that the grid is scrolled to: the morning, or on the day itself a little before now. */
export function firstSight(date: LocalDate, now: LocalDateTime): string {
  const hour = now.startsWith(date) ? Number(now.slice(11, 13)) - 2 : 0
  return `${Math.max(hour, 0)}:00`
}

/** The school's zone as the offset that is in force now: by it the calendar draws its line, whatever the browser's zone. */
export function offsetNow(timezone: string, now: Date): string {
  const ahead = minuteOf(localNow(now, timezone)) - Math.floor(now.getTime() / 60_000)
  const size = Math.abs(ahead)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(size / MINUTES_PER_HOUR))}:${two(size % MINUTES_PER_HOUR)}`
}

/** The day on the school's wall clock. */
export function todayIn(timezone: string, now: Date): LocalDate {
  return localNow(now, timezone).slice(0, 10)
}

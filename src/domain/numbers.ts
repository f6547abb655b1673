import type { ClosedDays, CountedAppointment, InstructorRules } from './agenda.ts'
import { timedByStart } from './agenda.ts'
import { isBounded } from './availability.ts'
import { isClosedOn } from './closed-days.ts'
import { type Interval, joined, minutesOf, overlaps, without } from './interval.ts'
import { DAILY, type Period, tallyOf, WEEKLY, type Workload } from './load.ts'
import {
  type Day,
  dayOf,
  daysLater,
  type LocalDate,
  type LocalDateTime,
  localDateFor,
  midnightOf,
  minuteOf,
  mondayOf,
  weekdayOf,
  weekNumberOf,
  weekStartOf,
} from './local-time.ts'
import type { Steps } from './steps.ts'
import { workingTimesOn } from './working-times.ts'

/** Days, both ends inclusive. */
export type DayRange = { readonly from: LocalDate; readonly to: LocalDate }

/** The days of the coming four weeks. */
const FREE_DAYS = 28
/** The days without a lesson from which on a student is listed, per week. */
export const DAYS_PER_WEEK = 7

/** The working hours of an instructor, and the days on which the school is closed. */
export type WorkingHours = {
  readonly rules: Pick<InstructorRules, 'availability_windows' | 'vacations' | 'absences'>
  readonly closed: ReadonlySet<Day>
}

/** Returns the days of a range on which the school is closed. */
export function* closedDaysIn({ from, to }: DayRange, closed: ClosedDays): Steps<ReadonlySet<Day>> {
  const days = new Set<Day>()
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    if (isClosedOn(localDateFor(day), closed)) days.add(day)
    yield
  }
  return days
}

/** Returns the ISO week of a day, such as `2026-W05`. */
export function isoWeekOf(date: LocalDate): string {
  const thursday = daysLater(mondayOf(date), 3)
  return `${thursday.slice(0, 4)}-W${String(weekNumberOf(date)).padStart(2, '0')}`
}

/** Returns the days of an ISO week; undefined if the year has no such week. */
export function daysOfWeek(week: string): DayRange | undefined {
  const first = mondayOf(`${week.slice(0, 4)}-01-04`)
  const from = daysLater(first, DAYS_PER_WEEK * (Number(week.slice(6)) - 1))
  return isoWeekOf(from) === week ? { from, to: daysLater(from, DAYS_PER_WEEK - 1) } : undefined
}

/** An ISO week, or the days of it that are in a range. */
export type Week = { readonly name: string; readonly first: Day; readonly last: Day }

/** Returns the ISO weeks that a range touches, cut at its ends. Names take longer than what is computed for a week. */
export function weeksIn({ from, to }: DayRange): readonly Week[] {
  const weeks: Week[] = []
  const end = dayOf(to)
  for (let first = dayOf(from); first <= end; first = weekStartOf(first) + DAYS_PER_WEEK) {
    const last = Math.min(weekStartOf(first) + DAYS_PER_WEEK - 1, end)
    weeks.push({ name: isoWeekOf(localDateFor(first)), first, last })
  }
  return weeks
}

/** Returns the days of the coming four weeks, today among them. */
export function comingDays(today: LocalDate): DayRange {
  return { from: today, to: daysLater(today, FREE_DAYS - 1) }
}

/** Returns the minutes of working hours in each week; null for an instructor without hours. */
export function* availableMinutes(
  { rules, closed }: WorkingHours,
  weeks: readonly Week[],
): Steps<ReadonlyMap<string, number> | null> {
  if (rules.availability_windows.length === 0) return null
  const available = new Map<string, number>()
  const minutesOn = dailyMinutes({ rules, closed })
  for (const { name, first, last } of weeks) {
    let minutes = 0
    for (let day = first; day <= last; day += 1) minutes += minutesOn(day)
    available.set(name, minutes)
    yield
  }
  return available
}

/** Returns the working minutes of days. Days without rules of their own are alike on each weekday, and computed once. */
function dailyMinutes({ rules, closed }: WorkingHours): (day: Day) => number {
  const { vacations, absences = [], availability_windows: windows } = rules
  const special = new Set<Day>()
  const add = (first: LocalDate, last: LocalDate) => {
    for (let day = dayOf(first); day <= dayOf(last); day += 1) special.add(day)
  }
  for (const { start_date, end_date } of vacations) add(start_date, end_date)
  for (const { start_at, end_at } of absences) add(start_at, end_at)
  const hasDates = windows.some(isBounded)
  const known = new Map<number, number>()
  return (day) => {
    const exact = () => sumOf(openTimes(day, { rules, closed }))
    if (hasDates || special.has(day) || closed.has(day)) return exact()
    const weekday = weekdayOf(day)
    const minutes = known.get(weekday) ?? exact()
    known.set(weekday, minutes)
    return minutes
  }
}

/** An instructor's rules, and the appointments of all ISO weeks that are asked for. */
export type Bookings = WorkingHours & {
  readonly rules: InstructorRules
  readonly appointments: readonly CountedAppointment[]
  readonly unit_minutes: number
  readonly now: LocalDateTime
}

export type FreeDay = { readonly week: string; readonly date: LocalDate; readonly minutes: number }

/**
 * Returns the free minutes of each day: working hours from now on without appointments, at most what the limits of the day and
 * the week leave. The days of a week come in order, so the last ones have nothing once the week is full.
 */
export function* freeDays(bookings: Bookings, weeks: readonly Week[]): Steps<readonly FreeDay[]> {
  const { rules, appointments, now, closed, unit_minutes } = bookings
  if (rules.availability_windows.length === 0) return []
  const times = timedByStart(appointments)
  const past = { start: Number.NEGATIVE_INFINITY, end: minuteOf(now) }
  const days: FreeDay[] = []
  for (const { name, first, last } of weeks) {
    const monday = weekStartOf(first)
    const week = { start: midnightOf(monday), end: midnightOf(monday + DAYS_PER_WEEK) }
    const own = times.filter((one) => overlaps(one, week))
    const workload = { instructor: rules, unit_minutes, appointments: own }
    const busy = joined([...own, past])
    let left = minutesLeft(WEEKLY, first, workload)
    for (let day = first; day <= last; day += 1) {
      const open = openTimes(day, { rules, closed }).map((one) => onCalendar(day, one))
      const minutes = Math.min(sumOf(without(open, busy)), minutesLeft(DAILY, day, workload), left)
      left -= minutes
      if (minutes > 0) days.push({ week: name, date: localDateFor(day), minutes })
    }
    yield
  }
  return days
}

/** Returns the minutes that the limit of the period around a day leaves. */
function minutesLeft(period: Period, day: Day, workload: Workload): number {
  const { limitUnits, bookedMinutes, unitMinutes } = tallyOf(period, midnightOf(day), workload)
  return limitUnits === null
    ? Number.POSITIVE_INFINITY
    : Math.max(0, limitUnits * unitMinutes - bookedMinutes)
}

function openTimes(day: Day, { rules, closed }: WorkingHours): readonly Interval[] {
  return closed.has(day) ? [] : workingTimesOn(day, rules)
}

function onCalendar(day: Day, { start, end }: Interval): Interval {
  const midnight = midnightOf(day)
  return { start: midnight + start, end: midnight + end }
}

function sumOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, one) => sum + minutesOf(one), 0)
}

/** Returns the median and the quartiles, interpolated between the two nearest numbers; null if there are none. */
export function quartersOf(numbers: readonly number[]): {
  readonly median: number | null
  readonly quarters: readonly [number, number] | null
} {
  if (numbers.length === 0) return { median: null, quarters: null }
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const place = part * (sorted.length - 1)
    const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return low + (high - low) * (place % 1)
  }
  return { median: at(0.5), quarters: [at(0.25), at(0.75)] }
}

/** The days of the tests whose results a number needs. */
export type TestOfEnrolment = {
  readonly enrolment_id: string
  readonly license_class: string
  readonly test: 'theory' | 'practical'
  readonly date: LocalDate
  readonly passed: boolean
}

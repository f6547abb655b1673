import { absentTimesOf } from './absence.ts'
import { timeFaultsFor } from './appointment-times.ts'
import { neighboursOf } from './breaks.ts'
import { type DailyAgenda, freeChoiceIn, inWeekOf, near, openOn } from './daily-agenda.ts'
import type { Darkness } from './daylight.ts'
import { type Interval, joined, without } from './interval.ts'
import { DAILY, tallyOf, WEEKLY } from './load.ts'
import {
  type Day,
  dayOfMinute,
  FIRST_MINUTE,
  LAST_MINUTE,
  localDateFor,
  localDateTimeFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
  minuteOf,
  weekdayOf,
} from './local-time.ts'
import { tooManyRefusalFor } from './open-appointments.ts'
import { continuousRefusalFor } from './stretch.ts'
import { changesClocksNear } from './time-zone.ts'
import { dailyLimitRefusalFor, overridesNeededFor, weeklyLimitRefusalFor } from './unit-limits.ts'

export type SlotCriteria = {
  readonly minutes: number
  readonly counts_toward_limits: boolean
  /** The range that contains the whole slot. */
  readonly range: Interval
  /** The ISO weekdays on which it may start (Monday is 1); undefined for any. */
  readonly weekdays?: readonly number[] | undefined
  /** The minutes of the day that contain it; if undefined, it may cross midnight. */
  readonly hours?: Interval | undefined
  /** The grid of its start, in minutes from midnight. */
  readonly step: number
  readonly with_overrides: boolean
  readonly timezone: string
  /** Set if the whole slot must be dark. */
  readonly darkness?: Darkness | undefined
}

/** A free interval, and the limits of the working time around it. */
export type FreeInterval = Interval & { readonly opens: Minute; readonly closes: Minute }

/** The minutes between a free interval and the nearest appointment or the limit of the working time. */
export type Remainder = { readonly minutes: number; readonly isToAppointment: boolean }

/** The range of supported times. */
const CALENDAR: Interval = { start: minuteOf(FIRST_MINUTE), end: minuteOf(LAST_MINUTE) }

/** A half-open range of possible starts on one day, and the limits of the working time around it. */
type StartRange = { readonly starts: Interval; readonly opens: Minute; readonly closes: Minute }

/** Returns a free interval for each possible start on the day's grid. Subtracts breaks once; checks the stretch per start. */
export function freeIntervalsOn(
  day: Day,
  dailyAgenda: DailyAgenda,
  criteria: SlotCriteria,
): readonly FreeInterval[] {
  const { assumed } = dailyAgenda.agenda
  const freeIntervals = freeIntervalsUnder(day, dailyAgenda, criteria)
  if (!assumed || freeIntervals.length === 0) return freeIntervals
  const also = freeIntervalsUnder(
    day,
    { ...dailyAgenda, agenda: { ...dailyAgenda.agenda, instructor: assumed } },
    criteria,
  )
  const starts = new Set(also.map(({ start }) => start))
  return freeIntervals.filter(({ start }) => starts.has(start))
}

function freeIntervalsUnder(
  day: Day,
  dailyAgenda: DailyAgenda,
  criteria: SlotCriteria,
): readonly FreeInterval[] {
  const { instructor } = dailyAgenda.agenda
  const isRequestedWeekday = criteria.weekdays?.includes(weekdayOf(day)) ?? true
  if (tooManyRefusalFor(dailyAgenda.agenda.student_open)) return []
  if (dailyAgenda.agenda.former?.some(({ archived_at }) => localDateFor(day) > archived_at)) return []
  const things = dailyAgenda.occupied.flatMap(({ thing }) => thing ?? [])
  if (things.some(({ active }) => !active)) return []
  if (dailyAgenda.isFullOn?.(day)) return []
  if (!isRequestedWeekday || !instructor.active || !isWithinLimits(day, dailyAgenda, criteria)) return []
  const rooms = startRangesOn(day, dailyAgenda, criteria)
  if (rooms.length === 0) return []
  const appointments = near(day, dailyAgenda.ofInstructor)
  const absences = things.flatMap((one) => absentTimesOf(one.absences))
  const blocked = joined([
    ...absences.map((one) => blockedBy(one, criteria.minutes, 0)),
    ...dailyAgenda.occupied.flatMap(({ kind, pages }) => {
      const breakMinutes = kind === 'instructor' ? instructor.required_break_minutes : 0
      return near(day, pages).map((one) => blockedBy(one, criteria.minutes, breakMinutes))
    }),
  ])
  const freeIntervals = rooms.flatMap((room) =>
    without([room.starts], blocked).flatMap((starts) => onGrid({ ...room, starts }, criteria)),
  )
  const mayLackTimes = [day, day + 1].some((one) => changesClocksNear(one, criteria.timezone))
  return freeIntervals.filter(
    (freeInterval) =>
      (!criteria.darkness || criteria.darkness.isDark(freeInterval)) &&
      (!mayLackTimes || hasTimes(freeInterval, criteria.timezone)) &&
      freeChoiceIn(freeInterval, dailyAgenda) !== undefined &&
      !continuousRefusalFor(freeInterval, appointments, instructor),
  )
}

export function gapsAround(
  freeInterval: FreeInterval,
  dailyAgenda: DailyAgenda,
): { readonly before: Remainder; readonly after: Remainder } {
  const { before, after } = neighboursOf(
    freeInterval,
    near(dayOfMinute(freeInterval.start), dailyAgenda.ofInstructor),
  )
  const isAfterOne = before !== undefined && before.end >= freeInterval.opens
  const isBeforeOne = after !== undefined && after.start <= freeInterval.closes
  return {
    before: {
      minutes: freeInterval.start - (isAfterOne ? before.end : freeInterval.opens),
      isToAppointment: isAfterOne,
    },
    after: {
      minutes: (isBeforeOne ? after.start : freeInterval.closes) - freeInterval.end,
      isToAppointment: isBeforeOne,
    },
  }
}

function isWithinLimits(day: Day, dailyAgenda: DailyAgenda, criteria: SlotCriteria): boolean {
  const { instructor, unit_minutes } = dailyAgenda.agenda
  const workload = { instructor, unit_minutes, appointments: inWeekOf(day, dailyAgenda.ofInstructor) }
  const requestedMinutes = criteria.counts_toward_limits ? criteria.minutes : 0
  const ofDay = { ...tallyOf(DAILY, midnightOf(day), workload), requestedMinutes }
  const ofWeek = { ...tallyOf(WEEKLY, midnightOf(day), workload), requestedMinutes }
  if (dailyLimitRefusalFor(ofDay) || weeklyLimitRefusalFor(ofWeek)) return false
  return criteria.with_overrides || overridesNeededFor(ofDay, ofWeek).length === 0
}

function startRangesOn(
  day: Day,
  dailyAgenda: DailyAgenda,
  { minutes, range, hours }: SlotCriteria,
): readonly StartRange[] {
  const midnight = midnightOf(day)
  const nextMidnight = midnightOf(day + 1)
  const [first, latestEnd] = [
    Math.max(range.start, CALENDAR.start, midnight + (hours?.start ?? 0)),
    Math.min(range.end, CALENDAR.end, hours ? midnight + hours.end : Number.POSITIVE_INFINITY),
  ]
  return openOn(day, dailyAgenda).flatMap(({ start, end }) => {
    const [opens, closes] = [midnight + start, midnight + end]
    const goesOnUntil = closes === nextMidnight ? nextMidnight + openAtMidnight(day + 1, dailyAgenda) : closes
    const earliest = Math.max(opens, first)
    const latest = Math.min(Math.min(goesOnUntil, latestEnd) - minutes, nextMidnight - 1)
    return earliest <= latest
      ? [{ starts: { start: earliest, end: latest + 1 }, opens, closes: goesOnUntil }]
      : []
  })
}

/** Returns the minutes of work from the midnight that begins the day; 0 if work begins later. */
function openAtMidnight(day: Day, dailyAgenda: DailyAgenda): number {
  const [first] = openOn(day, dailyAgenda)
  return first?.start === 0 ? first.end : 0
}

/** Returns the starts at which an appointment of `minutes` would overlap the interval or its breaks. */
function blockedBy({ start, end }: Interval, minutes: number, breakMinutes: number): Interval {
  return { start: start - breakMinutes - minutes + 1, end: end + breakMinutes }
}

function onGrid(
  { starts, opens, closes }: StartRange,
  { minutes, step }: SlotCriteria,
): readonly FreeInterval[] {
  const midnight = midnightOf(dayOfMinute(starts.start))
  const nextMidnight = midnight + MINUTES_PER_DAY
  const freeIntervals: FreeInterval[] = []
  const first = midnight + Math.ceil((starts.start - midnight) / step) * step
  for (let start = first; start < starts.end; start += step) {
    const end = start + minutes
    freeIntervals.push({
      start,
      end,
      opens,
      closes: end > nextMidnight ? closes : Math.min(closes, nextMidnight),
    })
  }
  return freeIntervals
}

function hasTimes({ start, end }: Interval, timezone: string): boolean {
  const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
  return timeFaultsFor(times, timezone).length === 0
}

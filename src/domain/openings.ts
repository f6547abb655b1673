import { timeFaultsFor } from './appointment-times.ts'
import { neighboursOf } from './breaks.ts'
import type { Sky } from './daylight.ts'
import { type Diary, freeChoiceIn, inWeekOf, near, openOn } from './diary.ts'
import { type Interval, intervalOf, joined, without } from './interval.ts'
import { DAILY, tallyOf, WEEKLY } from './load.ts'
import {
  type Day,
  dayOfMinute,
  FIRST_MINUTE,
  LAST_MINUTE,
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

/** For what a free time is wanted, and when. */
export type SlotWish = {
  /** 1 to 1440. */
  readonly minutes: number
  readonly counts_toward_limits: boolean
  /** It lies wholly within. */
  readonly range: Interval
  /** It starts on one of these, or on any; ISO: Monday is 1. */
  readonly weekdays?: readonly number[] | undefined
  /** It lies wholly between these minutes of its day; without them it may cross midnight. */
  readonly hours?: Interval | undefined
  /** Its start, in minutes since midnight, is a multiple of this. */
  readonly step: number
  /** Whether it may need an override. */
  readonly with_overrides: boolean
  /** IANA zone. */
  readonly timezone: string
  /** The sky under which a slot must lie wholly in the dark; without it a slot may lie by day. */
  readonly night_sky?: Sky | undefined
}

/** A free time, and between which minutes the instructor works around it. */
export type Opening = Interval & { readonly opens: Minute; readonly closes: Minute }

/** A gap between an opening and what comes next: minutes, and whether that is an appointment. */
export type Gap = { readonly minutes: number; readonly isToAppointment: boolean }

/** Between them times can be written. */
const CALENDAR: Interval = { start: minuteOf(FIRST_MINUTE), end: minuteOf(LAST_MINUTE) }

/** Starts of one day, half-open, and between which minutes the instructor works around them. */
type Room = { readonly starts: Interval; readonly opens: Minute; readonly closes: Minute }

/**
 * Every start of the day, on the grid, that the rules allow, in order. From the working hours is cut, once for the day, what
 * the appointments and their breaks block; only the stretch is asked about start by start.
 */
export function openingsOn(day: Day, diary: Diary, wish: SlotWish): readonly Opening[] {
  const { assumed } = diary.agenda
  const openings = openingsUnder(day, diary, wish)
  if (!assumed || openings.length === 0) return openings
  const also = openingsUnder(day, { ...diary, agenda: { ...diary.agenda, instructor: assumed } }, wish)
  const starts = new Set(also.map(({ start }) => start))
  return openings.filter(({ start }) => starts.has(start))
}

/** The same by the rules of `agenda.instructor` alone. */
function openingsUnder(day: Day, diary: Diary, wish: SlotWish): readonly Opening[] {
  const { instructor } = diary.agenda
  const isWished = wish.weekdays?.includes(weekdayOf(day)) ?? true
  if (tooManyRefusalFor(diary.agenda.student_open)) return []
  const vehicles = diary.occupied.flatMap(({ vehicle }) => vehicle ?? [])
  if (vehicles.some(({ active }) => !active)) return []
  if (!isWished || !instructor.active || !isWithinLimits(day, diary, wish)) return []
  const rooms = roomsOn(day, diary, wish)
  if (rooms.length === 0) return []
  const appointments = near(day, diary.ofInstructor)
  const absences = vehicles.flatMap((one) => one.absences.map((absence) => intervalOf(absence)))
  const blocked = joined([
    ...absences.map((one) => blockedBy(one, wish.minutes, 0)),
    ...diary.occupied.flatMap(({ code, pages }) => {
      const breakMinutes = code === 'instructor_busy' ? instructor.required_break_minutes : 0
      return near(day, pages).map((one) => blockedBy(one, wish.minutes, breakMinutes))
    }),
  ])
  const openings = rooms.flatMap((room) =>
    without([room.starts], blocked).flatMap((starts) => onGrid({ ...room, starts }, wish)),
  )
  const mayLackTimes = [day, day + 1].some((one) => changesClocksNear(one, wish.timezone))
  return openings.filter(
    (opening) =>
      (!wish.night_sky || wish.night_sky.isDark(opening)) &&
      (!mayLackTimes || hasTimes(opening, wish.timezone)) &&
      freeChoiceIn(opening, diary) !== undefined &&
      !continuousRefusalFor(opening, appointments, instructor),
  )
}

/** Returns the free time before and after an opening: up to the neighbour, or to the end of that day's working hours. */
export function gapsAround(opening: Opening, diary: Diary): { readonly before: Gap; readonly after: Gap } {
  const { before, after } = neighboursOf(opening, near(dayOfMinute(opening.start), diary.ofInstructor))
  const isAfterOne = before !== undefined && before.end >= opening.opens
  const isBeforeOne = after !== undefined && after.start <= opening.closes
  return {
    before: {
      minutes: opening.start - (isAfterOne ? before.end : opening.opens),
      isToAppointment: isAfterOne,
    },
    after: {
      minutes: (isBeforeOne ? after.start : opening.closes) - opening.end,
      isToAppointment: isBeforeOne,
    },
  }
}

function isWithinLimits(day: Day, diary: Diary, wish: SlotWish): boolean {
  const { instructor, unit_minutes } = diary.agenda
  const workload = { instructor, unit_minutes, appointments: inWeekOf(day, diary.ofInstructor) }
  const requestedMinutes = wish.counts_toward_limits ? wish.minutes : 0
  const ofDay = { ...tallyOf(DAILY, midnightOf(day), workload), requestedMinutes }
  const ofWeek = { ...tallyOf(WEEKLY, midnightOf(day), workload), requestedMinutes }
  if (dailyLimitRefusalFor(ofDay) || weeklyLimitRefusalFor(ofWeek)) return false
  return wish.with_overrides || overridesNeededFor(ofDay, ofWeek).length === 0
}

function roomsOn(day: Day, diary: Diary, { minutes, range, hours }: SlotWish): readonly Room[] {
  const midnight = midnightOf(day)
  const nextMidnight = midnightOf(day + 1)
  const [first, latestEnd] = [
    Math.max(range.start, CALENDAR.start, midnight + (hours?.start ?? 0)),
    Math.min(range.end, CALENDAR.end, hours ? midnight + hours.end : Number.POSITIVE_INFINITY),
  ]
  return openOn(day, diary).flatMap(({ start, end }) => {
    const [opens, closes] = [midnight + start, midnight + end]
    const goesOnUntil = closes === nextMidnight ? nextMidnight + openAtMidnight(day + 1, diary) : closes
    const earliest = Math.max(opens, first)
    const latest = Math.min(Math.min(goesOnUntil, latestEnd) - minutes, nextMidnight - 1)
    return earliest <= latest
      ? [{ starts: { start: earliest, end: latest + 1 }, opens, closes: goesOnUntil }]
      : []
  })
}

/** Returns the minutes for which the instructor works from the midnight at which the day begins. */
function openAtMidnight(day: Day, diary: Diary): number {
  const [first] = openOn(day, diary)
  return first?.start === 0 ? first.end : 0
}

/** The starts at which an appointment would be in the way of so many minutes, or too near. */
function blockedBy({ start, end }: Interval, minutes: number, breakMinutes: number): Interval {
  return { start: start - breakMinutes - minutes + 1, end: end + breakMinutes }
}

function onGrid({ starts, opens, closes }: Room, { minutes, step }: SlotWish): readonly Opening[] {
  const midnight = midnightOf(dayOfMinute(starts.start))
  const nextMidnight = midnight + MINUTES_PER_DAY
  const openings: Opening[] = []
  const first = midnight + Math.ceil((starts.start - midnight) / step) * step
  for (let start = first; start < starts.end; start += step) {
    const end = start + minutes
    openings.push({ start, end, opens, closes: end > nextMidnight ? closes : Math.min(closes, nextMidnight) })
  }
  return openings
}

/** Whether the clocks of the zone do not jump over its start or its end. */
function hasTimes({ start, end }: Interval, timezone: string): boolean {
  const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
  return timeFaultsFor(times, timezone).length === 0
}

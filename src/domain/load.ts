import type { TimedProposal, UnitLimits } from './agenda.ts'
import { minutesOf } from './interval.ts'
import {
  type Day,
  dayOf,
  dayOfMinute,
  type LocalDate,
  localDateFor,
  type Minute,
  midnightOf,
  weekStartOf,
} from './local-time.ts'
import { unitsOf } from './units.ts'

/** The load of a period and the units that a proposal adds, with at most two decimals. */
export type Load = {
  readonly booked_units: number
  /** 0 if the lesson type does not count. */
  readonly requested_units: number
  readonly limit_units: number | null
  readonly override_units: number | null
}

export type DayLoad = { readonly date: LocalDate } & Load
export type WeekLoad = { readonly week_start: LocalDate } & Load
export type LoadOfDayAndWeek = { readonly day: DayLoad; readonly week: WeekLoad }

export type Period = {
  readonly firstDayOf: (minute: Minute) => Day
  readonly days: number
  readonly limit: 'max_daily_units' | 'max_weekly_units'
  readonly override: 'max_daily_override' | 'max_weekly_override'
}

export const DAILY: Period = {
  firstDayOf: dayOfMinute,
  days: 1,
  limit: 'max_daily_units',
  override: 'max_daily_override',
}

export const WEEKLY: Period = {
  firstDayOf: (minute) => weekStartOf(dayOfMinute(minute)),
  days: 7,
  limit: 'max_weekly_units',
  override: 'max_weekly_override',
}

export type Workload = {
  readonly instructor: UnitLimits
  readonly unit_minutes: number
  readonly appointments: readonly TimedProposal[]
}

/** The minutes of a period, to compare with its limits. Includes only lessons that count toward them. */
export type Tally = {
  readonly firstDay: Day
  readonly bookedMinutes: number
  readonly requestedMinutes: number
  readonly limitUnits: number | null
  readonly overrideUnits: number | null
  readonly unitMinutes: number
}

/** Tallies the day or week in which the proposal starts; the whole appointment counts in it. */
export function tallyFor(period: Period, proposed: TimedProposal, workload: Workload): Tally {
  const requestedMinutes = proposed.source.counts_toward_limits ? minutesOf(proposed) : 0
  return { ...tallyOf(period, proposed.start, workload), requestedMinutes }
}

export function tallyOf(period: Period, moment: Minute, workload: Workload): Tally {
  const { instructor, unit_minutes, appointments } = workload
  const firstDay = period.firstDayOf(moment)
  const [start, end] = [midnightOf(firstDay), midnightOf(firstDay + period.days)]
  let bookedMinutes = 0
  for (const appointment of appointments) {
    const isInPeriod = start <= appointment.start && appointment.start < end
    if (isInPeriod && appointment.source.counts_toward_limits) bookedMinutes += minutesOf(appointment)
  }
  return {
    firstDay,
    bookedMinutes,
    requestedMinutes: 0,
    limitUnits: instructor[period.limit],
    overrideUnits: instructor[period.override],
    unitMinutes: unit_minutes,
  }
}

export function loadOn(date: LocalDate, workload: Workload): LoadOfDayAndWeek {
  const moment = midnightOf(dayOf(date))
  const day = dayLoadFor(tallyOf(DAILY, moment, workload))
  return { day, week: weekLoadFor(tallyOf(WEEKLY, moment, workload)) }
}

export function dayLoadFor(day: Tally): DayLoad {
  return { date: localDateFor(day.firstDay), ...loadFor(day) }
}

export function weekLoadFor(week: Tally): WeekLoad {
  return { week_start: localDateFor(week.firstDay), ...loadFor(week) }
}

function loadFor({ bookedMinutes, requestedMinutes, limitUnits, overrideUnits, unitMinutes }: Tally): Load {
  return {
    booked_units: unitsOf(bookedMinutes, unitMinutes),
    requested_units: unitsOf(requestedMinutes, unitMinutes),
    limit_units: limitUnits,
    override_units: overrideUnits,
  }
}

import type { Agenda, TimedAppointment, TimedProposal } from './agenda.ts'
import { minutesOf } from './interval.ts'
import { type Day, dayOfMinute, localDateFor, type Minute, weekStartOf } from './local-time.ts'
import type { LimitParams, Refusal } from './refusal.ts'
import { unitsOf } from './units.ts'

/** Which override an appointment needed. */
export type OverrideUsed = 'daily' | 'weekly'

/** The two ceilings of a day or an ISO week, and what tells one period from the next. */
export type Period = {
  readonly startOf: (minute: Minute) => Day
  readonly limit: 'max_daily_units' | 'max_weekly_units'
  readonly override: 'max_daily_override' | 'max_weekly_override'
}

export const DAILY: Period = {
  startOf: dayOfMinute,
  limit: 'max_daily_units',
  override: 'max_daily_override',
}

export const WEEKLY: Period = {
  startOf: (minute) => weekStartOf(dayOfMinute(minute)),
  limit: 'max_weekly_units',
  override: 'max_weekly_override',
}

/** Booked and requested minutes of a period that has a limit. */
type Load = {
  readonly bookedMinutes: number
  readonly requestedMinutes: number
  readonly limitUnits: number
  readonly overrideUnits: number | null
  readonly unitMinutes: number
}

/** Rule 5: more minutes would start on the day than its limit allows. */
export function dailyLimitRefusalFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  agenda: Agenda,
): Refusal | undefined {
  const load = loadOf(DAILY, proposed, appointments, agenda)
  if (!load || !exceedsCeiling(load)) return undefined
  const date = localDateFor(DAILY.startOf(proposed.start))
  return { code: 'daily_limit_exceeded', params: { date, ...limitParams(load) } }
}

/** Rule 6: more minutes would start in the ISO week than its limit allows. */
export function weeklyLimitRefusalFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  agenda: Agenda,
): Refusal | undefined {
  const load = loadOf(WEEKLY, proposed, appointments, agenda)
  if (!load || !exceedsCeiling(load)) return undefined
  const week_start = localDateFor(WEEKLY.startOf(proposed.start))
  return { code: 'weekly_limit_exceeded', params: { week_start, ...limitParams(load) } }
}

/** The overrides that the proposal draws on, if it is accepted. */
export function overridesNeededFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  agenda: Agenda,
): readonly OverrideUsed[] {
  const needs = (period: Period) => {
    const load = loadOf(period, proposed, appointments, agenda)
    return load !== undefined && exceeds(load, load.limitUnits)
  }
  return [...(needs(DAILY) ? (['daily'] as const) : []), ...(needs(WEEKLY) ? (['weekly'] as const) : [])]
}

/** The minutes that count toward the limit of the period in which the moment lies: of all that starts in it. */
export function countedMinutesIn(
  period: Period,
  moment: Minute,
  appointments: readonly TimedProposal[],
): number {
  return appointments
    .filter(({ source }) => source.counts_toward_limits)
    .filter(({ start }) => period.startOf(start) === period.startOf(moment))
    .reduce((sum, appointment) => sum + minutesOf(appointment), 0)
}

/** Nothing if no limit applies: the period has none, or the lesson type stays out of limits. */
function loadOf(
  period: Period,
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  { instructor, unit_minutes }: Agenda,
): Load | undefined {
  const limitUnits = instructor[period.limit]
  if (limitUnits === null || !proposed.source.counts_toward_limits) return undefined
  return {
    bookedMinutes: countedMinutesIn(period, proposed.start, appointments),
    requestedMinutes: minutesOf(proposed),
    limitUnits,
    overrideUnits: instructor[period.override],
    unitMinutes: unit_minutes,
  }
}

/** The override is the second, absolute ceiling; a lower one never narrows the limit. */
function exceedsCeiling(load: Load): boolean {
  return exceeds(load, Math.max(load.limitUnits, load.overrideUnits ?? 0))
}

function exceeds(load: Load, units: number): boolean {
  return load.bookedMinutes + load.requestedMinutes > units * load.unitMinutes
}

function limitParams(load: Load): LimitParams {
  return {
    limit_units: load.limitUnits,
    override_units: load.overrideUnits,
    booked_units: unitsOf(load.bookedMinutes, load.unitMinutes),
    requested_units: unitsOf(load.requestedMinutes, load.unitMinutes),
  }
}

import type { BreakRule, TimedAppointment, TimedProposal } from './agenda.ts'
import { type Interval, minutesOf } from './interval.ts'
import { localDateTimeFor } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** ArbZG §4: a pause shorter than 15 minutes is none. */
const SHORTEST_BREAK_MINUTES = 15

/** Rule 7: the pause to the nearest appointment before or after is too short. Appointments are sorted by start. */
export function breakRefusalFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  { required_break_minutes }: BreakRule,
): Refusal | undefined {
  const before = appointments
    .filter(({ end }) => end <= proposed.start)
    .reduce<TimedAppointment | undefined>(
      (last, next) => (last && last.end >= next.end ? last : next),
      undefined,
    )
  const after = appointments.find(({ start }) => start >= proposed.end)
  return (
    shortBreak(before, before && proposed.start - before.end, required_break_minutes) ??
    shortBreak(after, after && after.start - proposed.end, required_break_minutes)
  )
}

function shortBreak(
  neighbour: TimedAppointment | undefined,
  gapMinutes: number | undefined,
  requiredMinutes: number,
): Refusal | undefined {
  if (neighbour === undefined || gapMinutes === undefined || gapMinutes >= requiredMinutes) return undefined
  return {
    code: 'break_too_short',
    params: {
      gap_minutes: gapMinutes,
      required_minutes: requiredMinutes,
      appointment_id: neighbour.source.id,
    },
  }
}

/** Rule 8: without a sufficient break the instructor would work longer than allowed. */
export function continuousRefusalFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  rule: BreakRule,
): Refusal | undefined {
  if (rule.max_continuous_minutes === null) return undefined
  const stretch = stretchAround(proposed, appointments, rule)
  if (minutesOf(stretch) <= rule.max_continuous_minutes) return undefined
  return {
    code: 'continuous_minutes_exceeded',
    params: {
      minutes: minutesOf(stretch),
      limit_minutes: rule.max_continuous_minutes,
      start_at: localDateTimeFor(stretch.start),
      end_at: localDateTimeFor(stretch.end),
    },
  }
}

/** From first start to last end of all that is joined to the proposal by gaps too short to be a break. */
export function stretchAround(
  proposed: Interval,
  appointments: readonly Interval[],
  rule: BreakRule,
): Interval {
  const pause = sufficientBreakMinutes(rule)
  let { start, end } = proposed
  for (const { start: from, end: to } of appointments.toSorted((a, b) => b.end - a.end)) {
    if (to <= proposed.start && start - to < pause) start = Math.min(start, from)
  }
  for (const { start: from, end: to } of appointments.toSorted((a, b) => a.start - b.start)) {
    if (from >= proposed.end && from - end < pause) end = Math.max(end, to)
  }
  return { start, end }
}

/** A gap of this many minutes ends a stretch. */
export function sufficientBreakMinutes({ required_break_minutes }: BreakRule): number {
  return Math.max(required_break_minutes, SHORTEST_BREAK_MINUTES)
}

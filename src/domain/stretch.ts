import type { BreakRule, TimedAppointment } from './agenda.ts'
import { type Interval, minutesOf } from './interval.ts'
import { localDateTimeFor } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** ArbZG §4: a shorter pause does not count as a break. */
const SHORTEST_BREAK_MINUTES = 15

/** Checks rule 8: the instructor does not work too long without a sufficient break. */
export function continuousRefusalFor(
  proposed: Interval,
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

/** Returns the stretch around the proposal, including overlapping appointments. Expects them sorted by start. */
export function stretchAround(
  proposed: Interval,
  appointments: readonly Interval[],
  rule: BreakRule,
): Interval {
  const pause = sufficientBreakMinutes(rule)
  return {
    start: appointments.reduceRight(
      (start, before) => (start - before.end < pause ? Math.min(start, before.start) : start),
      proposed.start,
    ),
    end: appointments.reduce(
      (end, after) => (after.start - end < pause ? Math.max(end, after.end) : end),
      proposed.end,
    ),
  }
}

/** Returns the minutes of the longest stretch without a break that counts. Expects intervals sorted by start. */
export function longestStretchIn(intervals: readonly Interval[]): number {
  const stretches = intervals.map((one) => stretchAround(one, intervals, WITHOUT_OWN_BREAKS))
  return Math.max(0, ...stretches.map(minutesOf))
}

/** Whether a gap is long enough to count as a break, whatever the instructor's own rule. */
export function isSufficientBreak(minutes: number): boolean {
  return minutes >= sufficientBreakMinutes(WITHOUT_OWN_BREAKS)
}

const WITHOUT_OWN_BREAKS: BreakRule = { required_break_minutes: 0, max_continuous_minutes: null }

/** Returns the minutes of the shortest gap that ends a stretch. */
export function sufficientBreakMinutes({ required_break_minutes }: BreakRule): number {
  return Math.max(required_break_minutes, SHORTEST_BREAK_MINUTES)
}

import { dayLoadFor, type Tally, weekLoadFor } from './load.ts'
import type { Refusal } from './refusal.ts'

export type OverrideUsed = 'daily' | 'weekly'

/** Checks rule 5: the minutes of appointments that start on the day stay within its limit. */
export function dailyLimitRefusalFor(day: Tally): Refusal | undefined {
  const { limitUnits } = day
  if (limitUnits === null || !isAbove(ceilingFor(limitUnits, day), day)) return undefined
  return { code: 'daily_limit_exceeded', params: { ...dayLoadFor(day), limit_units: limitUnits } }
}

/** Checks rule 6: the minutes of appointments that start in the ISO week stay within its limit. */
export function weeklyLimitRefusalFor(week: Tally): Refusal | undefined {
  const { limitUnits } = week
  if (limitUnits === null || !isAbove(ceilingFor(limitUnits, week), week)) return undefined
  return { code: 'weekly_limit_exceeded', params: { ...weekLoadFor(week), limit_units: limitUnits } }
}

/** Returns the overrides that an accepted proposal uses. */
export function overridesNeededFor(day: Tally, week: Tally): readonly OverrideUsed[] {
  const needs = (tally: Tally) => tally.limitUnits !== null && isAbove(tally.limitUnits, tally)
  return [...(needs(day) ? (['daily'] as const) : []), ...(needs(week) ? (['weekly'] as const) : [])]
}

/** Returns the absolute ceiling: the override, unless it is below the limit. */
function ceilingFor(limitUnits: number, { overrideUnits }: Tally): number {
  return Math.max(limitUnits, overrideUnits ?? 0)
}

/** Whether the tally exceeds the limit. A proposal of no units never does. */
function isAbove(units: number, { bookedMinutes, requestedMinutes, unitMinutes }: Tally): boolean {
  return requestedMinutes > 0 && bookedMinutes + requestedMinutes > units * unitMinutes
}

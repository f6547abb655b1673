import type { Verdict } from './booking.ts'
import type { Refusal } from './refusal.ts'

/** Returns the refusals of a verdict, with the limits that need an override unless overrides are allowed. */
export function refusalsWith(
  { refusals, overrides_used, load: { day, week } }: Verdict,
  with_overrides: boolean,
): readonly Refusal[] {
  if (with_overrides || overrides_used.length === 0) return refusals
  return overrides_used.map((used) =>
    used === 'daily'
      ? { code: 'daily_limit_exceeded', params: { ...day, limit_units: day.limit_units ?? 0 } }
      : { code: 'weekly_limit_exceeded', params: { ...week, limit_units: week.limit_units ?? 0 } },
  )
}

import type { AvailabilityWindow, BreakRule, UnitLimits } from './agenda.ts'

export type InstructorDefaults = {
  readonly default_max_daily_units: number | null
  readonly default_max_weekly_units: number | null
  readonly default_required_break_minutes: number
  readonly default_max_continuous_minutes: number | null
  readonly default_availability_windows: readonly AvailabilityWindow[]
}

export function defaultRulesFor(
  school: InstructorDefaults,
): UnitLimits & BreakRule & { readonly availability_windows: AvailabilityWindow[] } {
  return {
    max_daily_units: school.default_max_daily_units,
    max_daily_override: null,
    max_weekly_units: school.default_max_weekly_units,
    max_weekly_override: null,
    required_break_minutes: school.default_required_break_minutes,
    max_continuous_minutes: school.default_max_continuous_minutes,
    availability_windows: [...school.default_availability_windows],
  }
}

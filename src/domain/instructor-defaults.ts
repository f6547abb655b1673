import type { BreakRule, UnitLimits } from './agenda.ts'

/** What a school starts its instructors with. */
export type InstructorDefaults = {
  readonly default_max_daily_units: number | null
  readonly default_max_weekly_units: number | null
  readonly default_required_break_minutes: number
  readonly default_max_continuous_minutes: number | null
}

/** The limits and breaks of an instructor for whom nobody has chosen any. */
export function defaultRulesFor(school: InstructorDefaults): UnitLimits & BreakRule {
  return {
    max_daily_units: school.default_max_daily_units,
    max_daily_override: null,
    max_weekly_units: school.default_max_weekly_units,
    max_weekly_override: null,
    required_break_minutes: school.default_required_break_minutes,
    max_continuous_minutes: school.default_max_continuous_minutes,
  }
}

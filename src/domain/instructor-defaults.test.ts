import { expect, it } from 'vitest'
import { defaultRulesFor } from './instructor-defaults.ts'

it("a new instructor gets the school's default limits, breaks and windows, and no overrides", () => {
  const school = {
    default_max_daily_units: 11,
    default_max_weekly_units: null,
    default_required_break_minutes: 5,
    default_max_continuous_minutes: 360,
    default_availability_windows: [{ weekday: 1, start: '08:00', end: '17:00' }],
  }
  expect(defaultRulesFor(school)).toEqual({
    max_daily_units: 11,
    max_daily_override: null,
    max_weekly_units: null,
    max_weekly_override: null,
    required_break_minutes: 5,
    max_continuous_minutes: 360,
    availability_windows: school.default_availability_windows,
  })
})

import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** One driving school, with what new instructors start from. */
export const TenantSchema = field.resource(
  {
    name: field.Name,
    timezone: Type.String({ description: 'IANA zone of the wall clock.', examples: ['Europe/Berlin'] }),
    locale: Type.String({ examples: ['de'] }),
    country: Type.String({ examples: ['DE'] }),
    unit_minutes: Type.Integer(),
    default_max_daily_units: field.nullable(field.DailyUnits),
    default_max_weekly_units: field.nullable(field.WeeklyUnits),
    default_required_break_minutes: field.BreakMinutes,
    default_max_continuous_minutes: field.nullable(field.ContinuousMinutes),
  },
  { $id: 'Tenant', examples: [example.tenant] },
)
export type Tenant = Static<typeof TenantSchema>

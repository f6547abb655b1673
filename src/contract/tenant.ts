import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { AvailabilityWindowSchema, NewAvailabilityWindows, windowFaultsFor } from './instructor.ts'
import type { Fault } from './problem.ts'

/** A language, or one as a country writes it: `de`, `fr-CH`. */
export const LOCALE = '^[a-z]{2,3}(-[A-Z]{2})?$'

const defaults = {
  default_max_daily_units: field.nullable(field.DailyUnits),
  default_max_weekly_units: field.nullable(field.WeeklyUnits),
  default_required_break_minutes: field.BreakMinutes,
  default_max_continuous_minutes: field.nullable(field.ContinuousMinutes),
}

/** The fields that students see on their page. */
const told = {
  phone: field.nullable(field.Phone),
  cancellation_terms: field.nullable(field.Notes),
}

/** The place by which the sun rises. */
const place = {
  latitude: field.nullable(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'Degrees, north positive. Null with `longitude`.',
    }),
  ),
  longitude: field.nullable(
    Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, east positive.' }),
  ),
}

/** One driving school, with what new instructors start from. */
export const TenantSchema = field.resource(
  {
    name: field.Name,
    timezone: Type.String({ description: 'IANA zone of the wall clock.', examples: ['Europe/Berlin'] }),
    locale: Type.String({ description: 'The language of lesson types and templates.', examples: ['de'] }),
    country: Type.String({ examples: ['DE'] }),
    unit_minutes: Type.Integer(),
    ...defaults,
    default_availability_windows: Type.Array(field.ref(AvailabilityWindowSchema)),
    ...told,
    ...place,
    version: field.Version,
  },
  { $id: 'Tenant', examples: [example.tenant] },
)
export type Tenant = Static<typeof TenantSchema>

export const TenantChangeSchema = field.closed(
  field.optionals({
    name: field.Name,
    locale: Type.String({ pattern: LOCALE, examples: ['de'] }),
    ...defaults,
    default_availability_windows: NewAvailabilityWindows,
    ...told,
    ...place,
  }),
  {
    $id: 'TenantChange',
    description:
      'Defaults are for instructors who are hired from then on. A list is replaced whole. `phone` and `cancellation_terms` stand on the pages of students. `latitude` and `longitude` are those of the city of the time zone until they are changed; without them no lesson is `not_dark`.',
    examples: [{ default_max_daily_units: 10 }],
  },
)
export type TenantChange = Static<typeof TenantChangeSchema>

/** Faults between fields: a window that ends before it begins, or half a place. */
export function tenantFaultsFor(change: TenantChange): readonly Fault[] {
  const { default_availability_windows = [], latitude, longitude } = change
  const isWhole = latitude === null ? longitude === null : typeof latitude === typeof longitude
  return [
    ...windowFaultsFor('/default_availability_windows', default_availability_windows),
    ...(isWhole ? [] : [HALF_A_PLACE]),
  ]
}

const HALF_A_PLACE: Fault = {
  pointer: '/longitude',
  code: 'required',
  detail: 'latitude and longitude are both given, or both null.',
}

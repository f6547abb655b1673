import type { Tenant, TenantChange } from '../../../contract/tenant.ts'
import type { AvailabilityWindow } from '../../../domain/agenda.ts'
import { placeIn, placeText } from './place.ts'

/** The fields of the page; an empty number is null on the wire. */
export type SettingsForm = {
  readonly name: string
  readonly locale: string
  readonly place: string
  readonly phone: string
  readonly cancellation_terms: string
  readonly default_max_daily_units: number | ''
  readonly default_max_weekly_units: number | ''
  readonly default_required_break_minutes: number | ''
  readonly default_max_continuous_minutes: number | ''
  readonly hidden_license_classes: readonly string[]
  readonly region: string
  readonly holidays: Tenant['holidays']
  readonly instructors_may: Tenant['instructors_may']
  readonly default_availability_windows: readonly AvailabilityWindow[]
}

export function settingsFormOf(tenant: Tenant): SettingsForm {
  return {
    name: tenant.name,
    locale: tenant.locale,
    place: placeText(tenant),
    phone: tenant.phone ?? '',
    cancellation_terms: tenant.cancellation_terms ?? '',
    default_max_daily_units: tenant.default_max_daily_units ?? '',
    default_max_weekly_units: tenant.default_max_weekly_units ?? '',
    default_required_break_minutes: tenant.default_required_break_minutes,
    default_max_continuous_minutes: tenant.default_max_continuous_minutes ?? '',
    hidden_license_classes: tenant.hidden_license_classes,
    region: tenant.region ?? '',
    holidays: tenant.holidays,
    instructors_may: tenant.instructors_may,
    default_availability_windows: tenant.default_availability_windows,
  }
}

export function settingsOf(form: SettingsForm) {
  return {
    name: form.name.trim(),
    locale: form.locale,
    ...placeIn(form.place),
    phone: form.phone.trim() || null,
    cancellation_terms: form.cancellation_terms.trim() || null,
    default_max_daily_units: orNone(form.default_max_daily_units),
    default_max_weekly_units: orNone(form.default_max_weekly_units),
    default_required_break_minutes: Number(form.default_required_break_minutes),
    default_max_continuous_minutes: orNone(form.default_max_continuous_minutes),
    hidden_license_classes: [...form.hidden_license_classes],
    region: form.region.trim().toUpperCase() || null,
    holidays: form.holidays,
    instructors_may: form.instructors_may,
    default_availability_windows: [...form.default_availability_windows],
  } satisfies TenantChange
}

function orNone(value: number | ''): number | null {
  return value === '' ? null : value
}

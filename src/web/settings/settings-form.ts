import type { Tenant, TenantChange } from '../../contract/tenant.ts'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import { differingFields } from '../ui/changed-fields.ts'
import { type BookingForm, bookingIn, isWholeBooking } from './booking-form.ts'
import { areOriginsWhole, type EnquiryForm, enquiriesIn, enquiryFormOf, isSlugWhole } from './enquiry-form.ts'
import { areMessagesWhole, type MessagesForm, messagesFormOf, messagesOf } from './messages-form.ts'
import { placeIn, placeText } from './place.ts'
import { isWholeStep, type StepForm, stepFormOf, stepOf } from './policy-form.ts'
import { isWholeRound, type RoundForm, roundFormOf, roundIn } from './round-form.ts'

/** The fields of the page; an empty number is sent as null. */
export type SettingsForm = {
  readonly name: string
  readonly locale: string
  readonly place: string
  readonly phone: string
  readonly email: string
  readonly office_email: string
  readonly cancellation_terms: string
  readonly cancellation_policy: readonly StepForm[]
  readonly map_url: string
  readonly default_max_daily_units: number | ''
  readonly default_max_weekly_units: number | ''
  readonly default_required_break_minutes: number | ''
  readonly default_max_continuous_minutes: number | ''
  readonly hidden_license_classes: readonly string[]
  readonly region: string
  readonly holidays: Tenant['holidays']
  readonly busy_calendars: Tenant['busy_calendars']
  readonly instructors_may: Tenant['instructors_may']
  readonly messages: MessagesForm
  readonly availability_round: RoundForm
  readonly student_actions: Tenant['student_actions']
  readonly student_booking: BookingForm
  readonly enquiries: EnquiryForm
  readonly default_availability_windows: readonly AvailabilityWindow[]
  readonly address: string
  readonly responsible: string
  readonly record: Tenant['record']
}

export function settingsFormOf(tenant: Tenant): SettingsForm {
  return {
    name: tenant.name,
    locale: tenant.locale,
    place: placeText(tenant),
    phone: tenant.phone ?? '',
    email: tenant.email ?? '',
    office_email: tenant.office_email ?? '',
    cancellation_terms: tenant.cancellation_terms ?? '',
    cancellation_policy: tenant.cancellation_policy.map(stepFormOf),
    map_url: tenant.map_url ?? '',
    default_max_daily_units: tenant.default_max_daily_units ?? '',
    default_max_weekly_units: tenant.default_max_weekly_units ?? '',
    default_required_break_minutes: tenant.default_required_break_minutes,
    default_max_continuous_minutes: tenant.default_max_continuous_minutes ?? '',
    hidden_license_classes: tenant.hidden_license_classes,
    region: tenant.region ?? '',
    holidays: tenant.holidays,
    busy_calendars: tenant.busy_calendars,
    instructors_may: tenant.instructors_may,
    messages: messagesFormOf(tenant.messages),
    availability_round: roundFormOf(tenant.availability_round),
    student_actions: tenant.student_actions,
    student_booking: tenant.student_booking,
    enquiries: enquiryFormOf(tenant),
    default_availability_windows: tenant.default_availability_windows,
    address: tenant.address ?? '',
    responsible: tenant.responsible ?? '',
    record: tenant.record,
  }
}

/** The settings that the place or another dialog sets, and one that follows from `student_booking`. */
type SetElsewhere = 'latitude' | 'longitude' | 'timezone' | 'second_factor' | 'students_may_move'

export function settingsOf(form: SettingsForm) {
  return {
    name: form.name.trim(),
    locale: form.locale,
    ...placeIn(form.place),
    phone: form.phone.trim() || null,
    email: form.email.trim() || null,
    office_email: form.office_email.trim() || null,
    cancellation_terms: form.cancellation_terms.trim() || null,
    cancellation_policy: form.cancellation_policy.map(stepOf),
    map_url: form.map_url.trim() || null,
    default_max_daily_units: orNone(form.default_max_daily_units),
    default_max_weekly_units: orNone(form.default_max_weekly_units),
    default_required_break_minutes: Number(form.default_required_break_minutes),
    default_max_continuous_minutes: orNone(form.default_max_continuous_minutes),
    hidden_license_classes: [...form.hidden_license_classes],
    region: form.region || null,
    holidays: form.holidays,
    busy_calendars: form.busy_calendars,
    instructors_may: form.instructors_may,
    messages: messagesOf(form.messages),
    availability_round: roundIn(form.availability_round),
    student_actions: form.student_actions,
    student_booking: bookingIn(form.student_booking),
    enquiries: enquiriesIn(form.enquiries),
    default_availability_windows: [...form.default_availability_windows],
    address: form.address.trim() || null,
    responsible: form.responsible.trim() || null,
    record: form.record,
  } satisfies Required<Omit<TenantChange, SetElsewhere>>
}

/** The fields that are objects; the service keeps the settings that a change of them omits. */
const GROUPS = ['messages', 'student_actions', 'student_booking', 'enquiries', 'record'] as const

/** Returns the fields that differ, and of a group only the settings that differ. */
export function differingSettings<T extends Groups>(wanted: T, seen: Groups): Differing<T> {
  const change = differingFields(wanted, seen)
  const groups = GROUPS.filter((name) => name in change)
  const differing = groups.map((name) => [name, differingFields(wanted[name], seen[name])])
  return { ...change, ...Object.fromEntries(differing) }
}

type Groups = Readonly<Record<(typeof GROUPS)[number], object>>
type Differing<T> = { [Name in keyof T]?: Name extends keyof Groups ? Partial<T[Name]> : T[Name] }

/** Returns the form of the saved school with the input that is newer than the form that was sent. */
export function withNewerInput(saved: Tenant, now: SettingsForm, sent: SettingsForm): SettingsForm {
  const form = settingsFormOf(saved)
  const newer = differingSettings(now, sent)
  return {
    ...form,
    ...newer,
    messages: { ...form.messages, ...newer.messages },
    student_actions: { ...form.student_actions, ...newer.student_actions },
    student_booking: { ...form.student_booking, ...newer.student_booking },
    enquiries: { ...form.enquiries, ...newer.enquiries },
    record: { ...form.record, ...newer.record },
  }
}

function orNone(value: number | ''): number | null {
  return value === '' ? null : value
}

/** Whether place, policy, messages, weekly round and bounds for students have no incomplete or invalid field. */
export function isWhole({ place, cancellation_policy, messages, ...form }: SettingsForm): boolean {
  const areListsWhole = cancellation_policy.every(isWholeStep) && areMessagesWhole(messages)
  const areTimesWhole = isWholeRound(form.availability_round) && isWholeBooking(form.student_booking)
  const isFormWhole = isSlugWhole(form.enquiries) && areOriginsWhole(form.enquiries)
  return placeIn(place) !== undefined && areListsWhole && areTimesWhole && isFormWhole
}

/** Returns the school with the values that the unchanged form would send, for comparison. */
export function asForm(tenant: Tenant): Tenant {
  const { cancellation_policy, messages } = settingsOf(settingsFormOf(tenant))
  return { ...tenant, cancellation_policy, messages }
}

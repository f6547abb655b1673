import type { Closure } from '../../contract/closure.ts'
import type { Location, LocationChange } from '../../contract/location.ts'
import type { Tenant, TenantChange } from '../../contract/tenant.ts'
import type { Vehicle, VehicleChange } from '../../contract/vehicle.ts'
import type { Webhook, WebhookChange } from '../../contract/webhook.ts'
import { MESSAGE_KINDS } from '../../domain/messages.ts'
import { absenceText } from './absence-text.ts'
import { POLICY } from './cancellation-texts.ts'
import {
  dateText,
  degrees,
  type Field,
  type Fields,
  flag,
  HOURS,
  minutes,
  NOTHING,
  type TextsOf,
  text,
  units,
} from './field-kinds.ts'
import { languageName } from './language-name.ts'
import { regionName } from './region-names.ts'
import { ALLOWED_ACTIONS, STUDENT_BOOKING } from './student-action-texts.ts'
import { weekdayName } from './weekday-name.ts'

/** The location of an instructor, a vehicle or a lesson. */
export const PLACED: Field<string | null> = {
  label: 'location.one',
  texts: (id, { location }) => [location.get(id ?? '')?.name ?? NOTHING],
}

export const LOCATION: TextsOf<Location, LocationChange> = {
  name: text('field.name'),
  address: text('location.address'),
  travel_minutes: {
    label: 'location.travelTimes',
    texts: (minutes, { location }, t) =>
      Object.entries(minutes).map(
        ([id, count]) => `${location.get(id)?.name ?? NOTHING}: ${t('lesson.minutes', { count })}`,
      ),
  },
}

export const VEHICLE: TextsOf<Vehicle, VehicleChange> = {
  name: text('field.name'),
  kind: { label: 'field.kind', texts: (kind, _, t) => [t(`vehicle.${kind}`)] },
  gearbox: {
    label: 'field.gearbox',
    texts: (gearbox, _, t) => [gearbox ? t(`vehicle.${gearbox}`) : NOTHING],
  },
  license_classes: { label: 'field.license_classes', texts: (classes) => classes },
  plate: text('field.plate'),
  notes: text('field.notes'),
  location_id: PLACED,
  active: flag('field.status', 'vehicle.active', 'vehicle.inactive'),
  absences: {
    label: 'field.absences',
    texts: (absences, { format }) => absences.map((one) => absenceText(one, format)),
  },
}

export const WEBHOOK: TextsOf<Webhook, WebhookChange> = {
  url: text('webhooks.url'),
  events: { label: 'webhooks.events', texts: (events) => events },
  disabled: flag('field.status', 'webhooks.off', 'webhooks.on'),
  disabled_reason: {
    label: 'webhooks.reason',
    texts: (reason, _, t) => [reason ? t(`webhooks.because.${reason}`) : NOTHING],
  },
}

export const CLOSURE: Fields<Closure> = {
  start_date: { label: 'request.from', texts: dateText },
  end_date: { label: 'request.to', texts: dateText },
  note: text('field.notes'),
}

/** The kinds that a school sends, the hours of reminders and the quiet hours. */
const MESSAGES: Field<Tenant['messages']> = {
  label: 'messages.title',
  texts: (messages, _, t) => {
    const { quiet, reminder, reminder_hours } = messages
    const kinds = MESSAGE_KINDS.filter((kind) => messages[kind]).map((kind) => t(`messages.kind.${kind}`))
    const hours = reminder ? [`${t('messages.reminderHours')}: ${reminder_hours.join(', ')}`] : []
    const who = t(`messages.tell.${messages.student_actions}`)
    return [
      ...kinds,
      t('messages.toldWords', { who }),
      ...hours,
      ...(quiet ? [t('messages.quietWords', { ...quiet })] : []),
    ]
  },
}

export const TENANT: TextsOf<Tenant, TenantChange> = {
  name: text('field.name'),
  timezone: text('field.timezone'),
  locale: {
    label: 'field.locale',
    texts: (locale, { format }) => [languageName(locale, format)],
  },
  default_max_daily_units: units('field.max_daily_units'),
  default_max_weekly_units: units('field.max_weekly_units'),
  default_required_break_minutes: minutes('field.required_break_minutes'),
  default_max_continuous_minutes: minutes('field.max_continuous_minutes'),
  default_availability_windows: HOURS,
  latitude: degrees('field.latitude'),
  longitude: degrees('field.longitude'),
  phone: text('field.phone'),
  email: text('field.email'),
  office_email: text('messages.officeEmail'),
  cancellation_terms: text('settings.terms'),
  cancellation_policy: POLICY,
  map_url: text('field.map_url'),
  hidden_license_classes: { label: 'field.hidden_license_classes', texts: (classes) => classes },
  region: {
    label: 'field.region',
    texts: (region, { format }) => [region ? regionName(region, format) : NOTHING],
  },
  holidays: { label: 'settings.onHolidays', texts: (policy, _, t) => [t(`settings.holidaysAre.${policy}`)] },
  busy_calendars: { label: 'settings.onBusy', texts: (policy, _, t) => [t(`settings.busyAre.${policy}`)] },
  messages: MESSAGES,
  availability_round: {
    label: 'round.title',
    texts: (round, { format }) => [round ? `${weekdayName(round.weekday, format)}, ${round.time}` : NOTHING],
  },
  student_actions: ALLOWED_ACTIONS,
  student_booking: STUDENT_BOOKING,
  enquiries: {
    label: 'enquirySettings.title',
    texts: ({ enabled, classes, text: about, slug, origins }, _, t) => [
      t(`enquirySettings.${enabled ? 'shown' : 'hidden'}`),
      ...[slug ?? NOTHING, ...classes, about ?? '', ...origins].filter(Boolean),
    ],
  },
  students_may_move: flag('studentActions.move', 'studentActions.on', 'studentActions.off'),
  address: text('field.address'),
  responsible: text('settings.responsible'),
  record: {
    label: 'settings.records',
    texts: ({ signatures, content }, _, t) => [
      ...signatures.map((signer) => t(`settings.signed.${signer}`)),
      `${t('settings.driveNotes')}: ${t(`settings.content.${content}`)}`,
    ],
  },
  second_factor: { label: 'factor.school', texts: (is, _, t) => [t(`factor.is.${is}`)] },
  instructors_may: { label: 'settings.ownBookings', texts: (may, _, t) => [t(`settings.mayBook.${may}`)] },
}

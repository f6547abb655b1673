import { isAffordableHash } from '../auth/password.ts'
import { countries } from '../booking/packs.ts'
import { RESOURCES } from '../contract/change.ts'
import { LOCALE } from '../contract/tenant.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { MAP_URL } from '../domain/map-link.ts'
import * as range from '../domain/ranges.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import { cancellation, policyStep } from './cancellation-checks.ts'
import * as is from './checks.ts'
import type { COLUMNS } from './columns.ts'
import { checksOf, color, licenseClasses } from './field-checks.ts'
import { FileFault } from './format.ts'
import { messageSettings, studentActions } from './message-checks.ts'
import { OFFER_CHECKS, WISH_CHECKS } from './offer-checks.ts'
import type { SchoolTable, TableName } from './tables.ts'
import { VEHICLE_CHECKS } from './vehicle-checks.ts'

type Checks = {
  readonly [Table in SchoolTable]: Readonly<
    Record<Exclude<keyof (typeof COLUMNS)[Table], 'tenant_id' | 'transaction'>, is.Check>
  >
}

/** Leaves room: a counter at its maximum would fail with the next change. */
const COUNTER: range.Range = { min: 1, max: 1_000_000_000 }
const POSITION: range.Range = { min: 0, max: 1_000_000 }
const CODE: range.Range = { min: 1, max: 100 }
const KEY: range.Range = { min: 1, max: 255 }
const SHA256: range.Range = { min: 32, max: 32 }
const PUBLIC_KEY: range.Range = { min: 1, max: 8192 }
const SIGNATURES: range.Range = { min: 0, max: 2 ** 32 - 1 }
const UNITS: range.Range = { min: 1, max: 10_000 }
const LATITUDE: range.Range = { min: -90, max: 90 }
const LONGITUDE: range.Range = { min: -180, max: 180 }
const AGE: range.Range = { min: 0, max: 150 }
const MINUTES_OF_A_DAY: range.Range = { min: 1, max: 1440 }
const MOST_TRANSPORTS = 20

const name = is.text(range.NAME_LENGTH)
const notes = is.orNull(is.text(range.NOTES_LENGTH))
const phone = is.orNull(is.text(range.PHONE_LENGTH))
const id = is.orNull(is.uuid)
const windows = is.windows(range.MOST_AVAILABILITY_WINDOWS)
const dailyUnits = is.orNull(is.integer(range.DAILY_UNITS))
const weeklyUnits = is.orNull(is.integer(range.WEEKLY_UNITS))
const breakMinutes = is.integer(range.BREAK_MINUTES)
const continuousMinutes = is.orNull(is.integer(range.CONTINUOUS_MINUTES))
const position = is.integer(POSITION)
const counter = is.integer(COUNTER)
const code = is.text(CODE)

const created = { created_at: is.moment } as const
const written = { ...created, updated_at: is.moment } as const
const days = { start_date: is.date, end_date: is.date } as const
const versioned = { ...written, version: counter } as const

/** Checks for every column of a school's file; the compiler reports a missing one. */
const CHECKS = {
  tenants: {
    id: is.uuid,
    name,
    timezone: is.zone,
    locale: is.pattern(new RegExp(LOCALE), 'a language, as de or fr-CH'),
    country: is.oneOf(countries()),
    unit_minutes: is.integer(MINUTES_OF_A_DAY),
    default_max_daily_units: dailyUnits,
    default_max_weekly_units: weeklyUnits,
    default_required_break_minutes: breakMinutes,
    default_max_continuous_minutes: continuousMinutes,
    default_availability_windows: windows,
    phone,
    cancellation_terms: notes,
    map_url: is.orNull(is.pattern(MAP_URL, 'an https address with {place}')),
    hidden_license_classes: licenseClasses,
    latitude: is.orNull(is.number(LATITUDE)),
    longitude: is.orNull(is.number(LONGITUDE)),
    region: is.orNull(is.pattern(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'a region, as DE-BY')),
    holidays: is.oneOf(['ignore', 'warn', 'refuse']),
    cancellation_policy: is.listOf(policyStep, range.MOST_POLICY_STEPS),
    instructors_may: is.oneOf(['nothing', 'own_students', 'any_student']),
    messages: messageSettings,
    student_actions: studentActions,
    ...versioned,
  },
  users: {
    id: is.uuid,
    email: is.email,
    name,
    role: is.oneOf(['owner', 'office', 'instructor']),
    instructor_id: id,
    password_hash: is.orNull((value) =>
      typeof value === 'string' && isAffordableHash(value)
        ? undefined
        : 'must be an Argon2id hash that costs no more than one of this service',
    ),
    second_factor: is.flag,
    disabled_at: is.orNull(is.moment),
    ...versioned,
  },
  passkeys: {
    id: is.uuid,
    user_id: is.uuid,
    credential_id: is.pattern(/^[\w-]{1,1366}$/, 'the id of a passkey'),
    public_key: is.bytes(PUBLIC_KEY),
    counter: is.integer(SIGNATURES),
    transports: is.listOf(is.text(CODE), MOST_TRANSPORTS),
    is_synced: is.flag,
    is_backed_up: is.flag,
    name,
    ...created,
    last_used_at: is.orNull(is.moment),
  },
  recovery_codes: { user_id: is.uuid, code_hash: is.bytes(SHA256), used_at: is.orNull(is.moment) },
  calendars: { id: is.uuid, kind: is.oneOf(['instructor', 'student', 'vehicle']), version: counter },
  lesson_types: {
    id: is.uuid,
    position,
    code,
    name,
    category: code,
    default_minutes: is.integer(MINUTES_OF_A_DAY),
    color,
    counts_toward_limits: is.flag,
    counts_toward_legal_minutes: is.flag,
    needs_student: is.flag,
    only_in_the_dark: is.flag,
    requirement_key: is.orNull(code),
    hidden: is.flag,
    seats: is.integer(range.SEATS),
    ...versioned,
  },
  license_class_templates: {
    id: is.uuid,
    position,
    code,
    license_class: is.text(range.LICENSE_CLASS_LENGTH),
    name,
    min_age: is.orNull(is.number(AGE)),
    ...written,
  },
  template_requirements: {
    license_class_template_id: is.uuid,
    position,
    lesson_type_id: is.uuid,
    required_units: is.integer(UNITS),
    min_one_block_units: is.orNull(is.integer(UNITS)),
  },
  locations: {
    id: is.uuid,
    name,
    address: is.orNull(is.text(range.TITLE_LENGTH)),
    travel_minutes: is.ways,
    deleted_at: is.orNull(is.moment),
    ...versioned,
  },
  vehicles: { ...VEHICLE_CHECKS, ...versioned },
  instructors: {
    id: is.uuid,
    ...checksOf(INSTRUCTOR_FIELDS),
    absences: is.listOf(is.absence, range.MOST_ABSENCES),
    ...versioned,
  },
  availability_windows: {
    instructor_id: is.uuid,
    position,
    weekday: is.integer({ min: 1, max: 7 }),
    start: is.timeOfDay,
    end: is.endOfWindow,
    valid_from: is.orNull(is.date),
    valid_to: is.orNull(is.date),
  },
  vacations: { instructor_id: is.uuid, position, ...days, note: notes },
  students: {
    id: is.uuid,
    ...checksOf(STUDENT_FIELDS),
    opening_balance: is.listOf(is.openingEntry, range.MOST_OPENING_ENTRIES),
    deleted_at: is.orNull(is.moment),
    ...versioned,
  },
  appointments: {
    id: is.uuid,
    ...checksOf(APPOINTMENT_FIELDS),
    overrides_used: is.listOf(is.oneOf(['daily', 'weekly']), 2),
    series_id: id,
    license_class: is.orNull(is.text(range.LICENSE_CLASS_LENGTH)),
    cancellation: is.orNull(cancellation),
    confirmed_at: is.orNull(is.moment),
    cancelled_with_student: is.flag,
    deleted_at: is.orNull(is.moment),
    ...versioned,
  },
  schedule_requests: {
    id: is.uuid,
    instructor_id: is.uuid,
    start_date: is.orNull(is.date),
    end_date: is.orNull(is.date),
    availability_windows: is.orNull(windows),
    windows_before: is.orNull(windows),
    note: notes,
    status: is.oneOf(['open', 'accepted', 'declined', 'withdrawn']),
    answer: notes,
    ...versioned,
  },
  closures: { id: is.uuid, ...days, note: notes, deleted_at: is.orNull(is.moment), ...versioned },
  wishes: { ...WISH_CHECKS, ...versioned },
  offers: { ...OFFER_CHECKS, ...versioned },
  changes: {
    id: is.uuid,
    at: is.moment,
    actor_kind: is.oneOf(['user', 'command', 'student', 'system']),
    actor_id: id,
    actor_name: name,
    resource: is.oneOf(RESOURCES),
    resource_id: is.uuid,
    action: is.oneOf(['created', 'changed', 'deleted', 'restored', 'erased']),
    set_id: is.uuid,
    undoes: id,
    before: is.orNull(is.fields),
    after: is.orNull(is.fields),
  },
  idempotency_keys: {
    user_id: is.uuid,
    key: is.text(KEY),
    part: position,
    request_hash: is.orNull(is.bytes(SHA256)),
    body: is.orNull(is.fieldsAsText),
    at: is.moment,
  },
} as const satisfies Checks

/** Throws a `FileFault` with line, field and reason for a value that could be stored but not served. */
export function requireServable(
  line: number,
  table: TableName,
  row: Readonly<Record<string, unknown>>,
): void {
  if (!(table in CHECKS)) return
  for (const [field, check] of Object.entries<is.Check>(CHECKS[table as SchoolTable])) {
    const reason = field in row ? check(row[field]) : undefined
    if (reason) throw new FileFault(line, `${table}.${field} ${reason}.`)
  }
}

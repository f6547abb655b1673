import { ClosureSchema } from '../contract/closure.ts'
import { ScheduleRequestSchema } from '../contract/schedule-request.ts'
import { TenantSchema } from '../contract/tenant.ts'
import { VehicleSchema } from '../contract/vehicle.ts'
import type { Tables } from '../db/schema/tables.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import { CATALOGUE } from './catalogue-columns.ts'
import {
  created,
  moment,
  ofSchool,
  plain,
  plainOf,
  type Spelling,
  spellingsOf,
  versioned,
} from './spelling.ts'

type Columns = {
  readonly [Table in keyof Tables]: Readonly<Record<keyof Tables[Table], Spelling>>
}

const actor = { actor_kind: plain, actor_id: plain, actor_name: plain } as const
const days = { start_date: plain, end_date: plain } as const

/** Every column of every table; the compiler reports a missing one. `left` marks those meaningless elsewhere. */
export const COLUMNS = {
  tenants: { id: plain, ...plainOf(TenantSchema), ...versioned },
  users: {
    ...ofSchool,
    email: plain,
    name: plain,
    role: plain,
    instructor_id: plain,
    password_hash: plain,
    second_factor: plain,
    disabled_at: moment,
    ...versioned,
  },
  passkeys: {
    id: plain,
    user_id: plain,
    credential_id: plain,
    public_key: plain,
    counter: plain,
    transports: plain,
    is_synced: plain,
    is_backed_up: plain,
    name: plain,
    ...created,
    last_used_at: moment,
  },
  recovery_codes: { user_id: plain, code_hash: plain, used_at: moment },
  calendars: { ...ofSchool, kind: plain, version: plain },
  ...CATALOGUE,
  vehicles: { ...ofSchool, ...plainOf(VehicleSchema), deleted_at: moment, ...versioned },
  instructors: {
    ...ofSchool,
    ...spellingsOf(INSTRUCTOR_FIELDS),
    absences: plain,
    ...versioned,
  },
  availability_windows: {
    tenant_id: plain,
    instructor_id: plain,
    position: plain,
    weekday: plain,
    start: 'time_of_day',
    end: 'time_of_day',
    valid_from: plain,
    valid_to: plain,
  },
  vacations: {
    tenant_id: plain,
    instructor_id: plain,
    position: plain,
    ...days,
    note: plain,
  },
  students: {
    ...ofSchool,
    ...spellingsOf(STUDENT_FIELDS),
    opening_balance: plain,
    deleted_at: moment,
    ...versioned,
  },
  appointments: {
    ...ofSchool,
    ...spellingsOf(APPOINTMENT_FIELDS),
    overrides_used: plain,
    series_id: plain,
    license_class: plain,
    cancellation: plain,
    cancelled_with_student: plain,
    deleted_at: moment,
    ...versioned,
  },
  schedule_requests: { ...ofSchool, ...plainOf(ScheduleRequestSchema), ...versioned },
  closures: { ...ofSchool, ...plainOf(ClosureSchema), deleted_at: moment, ...versioned },
  changes: {
    ...ofSchool,
    at: moment,
    transaction: 'left',
    ...actor,
    resource: plain,
    resource_id: plain,
    action: plain,
    set_id: plain,
    undoes: plain,
    before: plain,
    after: plain,
  },
  idempotency_keys: {
    tenant_id: plain,
    user_id: plain,
    key: plain,
    part: plain,
    request_hash: plain,
    body: plain,
    at: moment,
  },
  links: {
    ...ofSchool,
    instructor_id: plain,
    student_id: plain,
    detail: plain,
    token_hash: plain,
    ...created,
    used_at: moment,
  },
  mails: {
    ...ofSchool,
    ...created,
    to_address: plain,
    to_name: plain,
    template: plain,
    params: plain,
    worth_until: moment,
    state: plain,
    attempts: plain,
    next_attempt_at: moment,
    claimed_until: moment,
    last_error: plain,
    finished_at: moment,
  },
  password_links: {
    user_id: plain,
    kind: plain,
    secret_hash: plain,
    ...created,
    expires_at: moment,
    email: plain,
    confirmed_at: moment,
  },
  token_families: {
    id: plain,
    user_id: plain,
    ...created,
    last_used_at: moment,
    browser: plain,
    system: plain,
    proved_at: moment,
    proved_by: plain,
    revoked_at: moment,
    revoked_reason: plain,
  },
  refresh_tokens: {
    id: plain,
    family_id: plain,
    parent_id: plain,
    token_hash: plain,
    ...created,
    expires_at: moment,
    revoked_at: moment,
    revoked_reason: plain,
  },
  login_addresses: { user_id: plain, address: plain, last_login_at: moment },
  login_failures: { kind: plain, account: plain, address: plain, failed_at: moment },
  used_challenges: { id: plain, expires_at: moment },
} as const satisfies Columns

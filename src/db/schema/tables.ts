import type { ColumnType, Generated, Kysely } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { UserRole } from '../../contract/auth.ts'
import type { Closure } from '../../contract/closure.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Location } from '../../contract/location.ts'
import type { OpeningEntry } from '../../contract/opening-balance.ts'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import type { Student } from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { Wish } from '../../contract/wish.ts'
import type { Absence } from '../../domain/agenda.ts'
import type { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import type { Cancellation } from '../../domain/cancellation.ts'
import type { Attendee } from '../../domain/group.ts'
import type { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import type { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import type { OverrideUsed } from '../../domain/unit-limits.ts'
import type {
  Deletable,
  LessonTypeTable,
  LicenseClassTemplateTable,
  OfSchool,
  ResourceTable,
  TemplateRequirementTable,
  VersionedColumns,
} from './catalogue-tables.ts'
import type { LinkTable, OfferLinkTable, OfferTable, PushSubscriptionTable } from './link-tables.ts'
import type {
  LoginAddressTable,
  LoginFailureTable,
  PasskeyTable,
  PasswordLinkTable,
  RecoveryCodeTable,
  RefreshTokenTable,
  SessionUserTable,
  TokenFamilyTable,
  UsedChallengeTable,
} from './login-tables.ts'
import type { MailTable, MessageCauseTable, MessageTable } from './message-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook-tables.ts'

export type TenantTable = ResourceTable<
  Tenant,
  'default_availability_windows' | 'cancellation_policy' | 'messages' | 'student_actions',
  | 'cancellation_policy'
  | 'messages'
  | 'student_actions'
  | 'hidden_license_classes'
  | 'holidays'
  | 'instructors_may'
  | 'students_may_move'
>

export type UserTable = VersionedColumns & {
  id: string
  tenant_id: string
  email: string
  name: string
  role: Generated<UserRole>
  instructor_id: string | null
  password_hash: string | null
  second_factor: Generated<boolean>
  disabled_at: Date | null
}

export type CalendarTable = {
  tenant_id: string
  id: string
  kind: 'instructor' | 'student' | 'vehicle'
  version: Generated<number>
}

export type VehicleTable = OfSchool & Deletable & ResourceTable<Vehicle, 'absences'>
export type ClosureTable = OfSchool & Deletable & ResourceTable<Closure>
export type WishTable = OfSchool & Deletable & ResourceTable<Wish>
export type ScheduleRequestTable = OfSchool &
  ResourceTable<ScheduleRequest, 'availability_windows' | 'windows_before'>
export type LocationTable = OfSchool & Deletable & ResourceTable<Location, 'travel_minutes'>

export type StudentTable = VersionedColumns &
  Omit<Pick<Student, keyof typeof STUDENT_FIELDS>, 'messages_consent' | 'message_channel'> & {
    messages_consent: Generated<boolean>
    message_channel: Generated<Student['message_channel']>
    tenant_id: string
    id: string
    opening_balance: ColumnType<OpeningEntry[], string | undefined, string>
    deleted_at: Date | null
  }

export type InstructorTable = VersionedColumns &
  Pick<Instructor, keyof typeof INSTRUCTOR_FIELDS> & {
    tenant_id: string
    id: string
    absences: ColumnType<Absence[], string | undefined, string>
  }

export type AvailabilityWindowTable = {
  tenant_id: string
  instructor_id: string
  position: number
  weekday: number
  start: string
  end: string
  valid_from: string | null
  valid_to: string | null
}

export type VacationTable = {
  tenant_id: string
  instructor_id: string
  position: number
  start_date: string
  end_date: string
  note: string | null
}

export type AppointmentTable = VersionedColumns &
  Omit<Pick<Appointment, keyof typeof APPOINTMENT_FIELDS>, 'attendees'> & {
    tenant_id: string
    id: string
    attendees: ColumnType<Attendee[], string | undefined, string>
    overrides_used: OverrideUsed[]
    series_id: string | null
    license_class: string | null
    cancellation: Cancellation | null
    confirmed_at: ColumnType<Date | null, string | null | undefined, string | null>
    cancelled_with_student: Generated<boolean>
    deleted_at: Date | null
  }

/** The log of changes. Rows are only added and read, except by erasures. */
export type ChangeTable = {
  tenant_id: string
  id: string
  at: Generated<Date>
  /** The id (`xid8`) of the transaction that wrote the row. */
  transaction: Generated<string>
  actor_kind: string
  actor_id: string | null
  actor_name: string
  resource: string
  resource_id: string
  action: string
  set_id: string
  undoes: string | null
  before: string | null
  after: string | null
}

export type IdempotencyKeyTable = {
  tenant_id: string
  user_id: string
  key: string
  part: number
  request_hash: Buffer | null
  body: string | null
  at: Date
}

export type Tables = {
  tenants: TenantTable
  users: UserTable
  password_links: PasswordLinkTable
  token_families: TokenFamilyTable
  refresh_tokens: RefreshTokenTable
  session_users: SessionUserTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  used_challenges: UsedChallengeTable
  login_failures: LoginFailureTable
  login_addresses: LoginAddressTable
  lesson_types: LessonTypeTable
  license_class_templates: LicenseClassTemplateTable
  template_requirements: TemplateRequirementTable
  calendars: CalendarTable
  locations: LocationTable
  vehicles: VehicleTable
  students: StudentTable
  instructors: InstructorTable
  availability_windows: AvailabilityWindowTable
  vacations: VacationTable
  appointments: AppointmentTable
  schedule_requests: ScheduleRequestTable
  closures: ClosureTable
  changes: ChangeTable
  idempotency_keys: IdempotencyKeyTable
  links: LinkTable
  wishes: WishTable
  offers: OfferTable
  offer_links: OfferLinkTable
  push_subscriptions: PushSubscriptionTable
  mails: MailTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  message_causes: MessageCauseTable
  messages: MessageTable
}

export type Database = Kysely<Tables> & {
  readonly isSpread?: boolean
  /** Sends a statement without Kysely's layers. Missing in a transaction, which must send its statements in order. */
  readonly send?: <Row>(text: string, parameters: unknown[]) => Promise<Row[]>
}

declare const isOpen: unique symbol
export type Transaction = Database & { readonly [isOpen]: true }

/** Whether to write in separate statements: in a cluster, a combined one takes three times the work and hides SQLSTATEs. */
export function needsSeparateStatements(db: Database): db is Transaction {
  return db.isSpread === true
}

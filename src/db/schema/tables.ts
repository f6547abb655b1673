import type { ColumnType, Generated, Kysely, RawBuilder } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { UserRole } from '../../contract/auth.ts'
import type { StoredAvailability } from '../../contract/availability.ts'
import type { Closure } from '../../contract/closure.ts'
import type { Credits } from '../../contract/credit.ts'
import type { StoredEnquiry } from '../../contract/enquiry.ts'
import type { Enrolment } from '../../contract/enrolment.ts'
import type { Restriction } from '../../contract/erasure.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Location } from '../../contract/location.ts'
import type { OpeningEntry } from '../../contract/opening-balance.ts'
import type { AppliedPlan, LeftOutLesson, PlanFiguresShown, PlannedLesson } from '../../contract/plan.ts'
import type { RetentionNotice, SkipReason } from '../../contract/retention.ts'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import type { Signature } from '../../contract/signature.ts'
import type { Student } from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { StoredTick } from '../../contract/tick.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { Wish } from '../../contract/wish.ts'
import type { Absence } from '../../domain/agenda.ts'
import type { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import type { Cancellation } from '../../domain/cancellation.ts'
import type { Attendee } from '../../domain/group.ts'
import type { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import type { CalendarKind } from '../../domain/occupants.ts'
import type { PlanWeights } from '../../domain/plan-problem.ts'
import type { DrawnLines } from '../../domain/signatures.ts'
import type { StudentContact } from '../../domain/student-contacts.ts'
import type { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import type { OverrideUsed } from '../../domain/unit-limits.ts'
import type { BusyCalendarTable, BusyTimesTable } from './busy-tables.ts'
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
  IdentityProviderTable,
  IdentityTable,
  LoginAddressTable,
  LoginFailureTable,
  PasskeyTable,
  PasswordLinkTable,
  RecoveryCodeTable,
  RefreshTokenTable,
  SessionUserTable,
  TokenFamilyTable,
  TotpSecretTable,
  UsedChallengeTable,
} from './login-tables.ts'
import type { AvailabilityRoundTable, MailTable, MessageCauseTable, MessageTable } from './message-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook-tables.ts'

export type TenantTable = ResourceTable<
  Tenant,
  | 'default_availability_windows'
  | 'cancellation_policy'
  | 'messages'
  | 'student_actions'
  | 'student_booking'
  | 'enquiries'
  | 'record'
  | 'availability_round',
  | 'cancellation_policy'
  | 'messages'
  | 'availability_round'
  | 'student_actions'
  | 'student_booking'
  | 'enquiries'
  | 'hidden_license_classes'
  | 'holidays'
  | 'busy_calendars'
  | 'instructors_may'
  | 'second_factor'
  | 'students_may_move'
  | 'address'
  | 'email'
  | 'office_email'
  | 'responsible'
  | 'record'
> & { retention_notice: ColumnType<RetentionNotice | null, string | null | undefined, string | null> }

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
  may_sign: Generated<boolean>
  /** The time until which the user has seen the inbox; null if never. */
  inbox_seen_at: Date | null
}

export type CalendarTable = {
  tenant_id: string
  id: string
  kind: CalendarKind
  version: Generated<number>
}

export type VehicleTable = OfSchool & Deletable & ResourceTable<Vehicle, 'absences'>
export type ClosureTable = OfSchool & Deletable & ResourceTable<Closure>
export type EnrolmentTable = OfSchool &
  Deletable &
  ResourceTable<Enrolment, 'prior_classes' | 'cooperation'> & {
    credits: ColumnType<Credits, string | undefined, string>
  }
export type AvailabilityTable = OfSchool & Deletable & ResourceTable<StoredAvailability, 'windows'>

export type TickTable = OfSchool & Deletable & ResourceTable<StoredTick>
export type EnquiryTable = OfSchool &
  ResourceTable<StoredEnquiry> & { readonly form_id: string; readonly consent_at: Date }
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
    contacts: ColumnType<StudentContact[], string | undefined, string>
    archived_at: ColumnType<Date | null, string | null | undefined, string | null>
    deleted_at: Date | null
    restriction: ColumnType<Restriction | null, string | null | undefined, string | null>
    hold_reason: string | null
    hold_until: string | null
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
  every_weeks: Generated<number>
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
    no_show_fee_percent: number | null
    confirmed_at: ColumnType<Date | null, string | null | undefined, string | null>
    cancelled_with_student: Generated<boolean>
    deleted_at: Date | null
  }

/** The signatures of lessons and records. Rows are only added and read, except by erasures. */
export type SignatureTable = Pick<
  Signature,
  'id' | 'student_id' | 'enrolment_id' | 'appointment_id' | 'as' | 'name' | 'digest'
> & {
  tenant_id: string
  strokes: ColumnType<DrawnLines | null, string | null>
  document: ColumnType<unknown, string>
  actor_kind: Signature['by']['kind']
  actor_id: string | null
  actor_name: string
  at: Date
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

export type RetentionRunTable = {
  tenant_id: string
  id: string
  at: Date
  actor_kind: string
  actor_id: string | null
  actor_name: string
  digest: string
  agreed: boolean
  outcomes: ColumnType<RunOutcomes, string, string | RawBuilder<RunOutcomes>>
  counts: ColumnType<Readonly<Record<string, number>>, string | undefined, string>
  finished_at: Date | null
}

/** The outcome for each student of a run; null before the run has reached the student. */
export type RunOutcomes = Readonly<Record<string, 'erased' | 'restricted' | SkipReason | null>>

export type PlanTable = VersionedColumns & {
  tenant_id: string
  id: string
  from: string
  to: string
  state: 'draft' | 'applied' | 'discarded'
  instructor_ids: string[] | null
  student_ids: string[] | null
  overrides: boolean
  weights: ColumnType<PlanWeights, string>
  effort: number
  seed: number
  proposed: ColumnType<readonly PlannedLesson[], string>
  left_out: ColumnType<readonly LeftOutLesson[], string>
  dropped: Generated<ColumnType<readonly DroppedLesson[], string>>
  figures: ColumnType<PlanFiguresShown, string>
  applied: ColumnType<PlanOutcome | null, string | null>
  actor_kind: string
  actor_id: string | null
  actor_name: string
}

/** A lesson that was dropped from a plan: the student has one less in the ISO week. */
export type DroppedLesson = { readonly student_id: string; readonly week_start: string }

/** The way in which a plan was applied. */
export type PlanOutcome = {
  readonly as: 'booked' | 'offers'
  readonly set_id: string
  readonly refused: AppliedPlan['refused']
}

export type PlanningTable = {
  tenant_id: string
  id: string
  until: ColumnType<Date, RawBuilder<Date>, RawBuilder<Date>>
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
  totp_secrets: TotpSecretTable
  identity_providers: IdentityProviderTable
  identities: IdentityTable
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
  enrolments: EnrolmentTable
  ticks: TickTable
  appointments: AppointmentTable
  signatures: SignatureTable
  schedule_requests: ScheduleRequestTable
  closures: ClosureTable
  changes: ChangeTable
  idempotency_keys: IdempotencyKeyTable
  links: LinkTable
  enquiries: EnquiryTable
  wishes: WishTable
  availability: AvailabilityTable
  retention_runs: RetentionRunTable
  plans: PlanTable
  plannings: PlanningTable
  offers: OfferTable
  offer_links: OfferLinkTable
  push_subscriptions: PushSubscriptionTable
  mails: MailTable
  busy_calendars: BusyCalendarTable
  busy_times: BusyTimesTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  message_causes: MessageCauseTable
  messages: MessageTable
  availability_rounds: AvailabilityRoundTable
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

import { type TSchema, Type } from 'typebox'
import { countries } from '../booking/packs/packs.ts'
import { StoredAvailabilitySchema } from '../contract/availability.ts'
import { RoundStateSchema } from '../contract/availability-round.ts'
import { NullableCancellation, NullableNoShowFee } from '../contract/cancellation.ts'
import { RESOURCES } from '../contract/change.ts'
import { ClosureSchema } from '../contract/closure.ts'
import { StoredEnquirySchema } from '../contract/enquiry.ts'
import { StoredEnrolmentSchema } from '../contract/enrolment.ts'
import { RestrictionSchema } from '../contract/erasure.ts'
import * as field from '../contract/fields.ts'
import { NewAvailabilityWindows } from '../contract/instructor.ts'
import { LessonTypeSchema } from '../contract/lesson-type.ts'
import { LocationSchema } from '../contract/location.ts'
import { OpeningBalanceSchema } from '../contract/opening-balance.ts'
import {
  AppliedPlanSchema,
  LeftOutSchema,
  PlanApplicationSchema,
  PlanFiguresSchema,
  PlanSchema,
  ProposedLessonSchema,
} from '../contract/plan.ts'
import { HoldSchema, RetentionNoticeSchema, RetentionRunSchema, SKIP_REASONS } from '../contract/retention.ts'
import { ScheduleRequestStatusSchema } from '../contract/schedule-request.ts'
import { NewLessonSignatureSchema } from '../contract/signature.ts'
import { OverridesUsedSchema } from '../contract/slot.ts'
import { ContactsSchema } from '../contract/student.ts'
import { LOCALE, TenantSchema } from '../contract/tenant.ts'
import { StoredTickSchema } from '../contract/tick.ts'
import { VehicleSchema } from '../contract/vehicle.ts'
import { WishSchema } from '../contract/wish.ts'
import type { Tables } from '../db/schema/tables.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { CALENDAR_KINDS } from '../domain/occupants.ts'
import { MAX_ABSENCES, MAX_WEEKS_IN_TURN, type Range, SEATS } from '../domain/ranges.ts'
import { SIGNED_AS } from '../domain/signatures.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import type { SchoolTable } from './tables.ts'

type Columns<Table extends SchoolTable> = Exclude<keyof Tables[Table], 'tenant_id' | 'transaction'>
type Schemas = { readonly [Table in SchoolTable]: Readonly<Record<Columns<Table>, TSchema>> }

const { text, integer, nullable, Id, LocalDate } = field

const Moment = Type.String({ format: 'stored-moment' })
const OptionalMoment = nullable(Moment)
const OptionalId = nullable(Id)
const Flag = Type.Boolean()
const Code = text({ min: 1, max: 100 })
const Position = integer({ min: 0, max: 1_000_000 })
/** A counter far enough below its column's maximum that later changes can increment it. */
const Counter = integer({ min: 1, max: 1_000_000_000 })
const Units = integer({ min: 1, max: 10_000 })
const MinutesOfADay = integer({ min: 1, max: 1440 })
const Sha256 = bytes({ min: 32, max: 32 })
const Absences = Type.Array(VehicleSchema.properties.absences.items, { maxItems: MAX_ABSENCES })
const OptionalNotes = nullable(field.Notes)

/** An id as queries compare it with those in a list. */
const LowerId = Type.String({ pattern: '^[0-9a-f-]{36}$' })
const Attendees = Type.Array(
  field.closed({
    student_id: LowerId,
    attended: field.Attended,
    enrolment_id: field.optional(nullable(LowerId)),
  }),
  { maxItems: SEATS.max },
)

const created = { created_at: Moment }
const versioned = { ...created, updated_at: Moment, version: Counter }
const deletable = { deleted_at: OptionalMoment, ...versioned }

/** The schema of every column of a school's file; the compiler reports a missing one. */
export const ROW_SCHEMAS = {
  tenants: {
    ...TenantSchema.properties,
    timezone: Type.String({ format: 'zone' }),
    locale: Type.String({ pattern: LOCALE }),
    country: Type.Enum(countries()),
    unit_minutes: MinutesOfADay,
    default_availability_windows: NewAvailabilityWindows,
    retention_notice: nullable(RetentionNoticeSchema),
    ...versioned,
  },
  users: {
    id: Id,
    email: field.Email,
    name: field.Name,
    role: Type.Enum(['owner', 'office', 'instructor']),
    instructor_id: OptionalId,
    password_hash: nullable(Type.String({ format: 'affordable-hash' })),
    second_factor: Flag,
    may_sign: Flag,
    disabled_at: OptionalMoment,
    inbox_seen_at: OptionalMoment,
    ...versioned,
  },
  passkeys: {
    id: Id,
    user_id: Id,
    credential_id: Type.String({ pattern: '^[\\w-]{1,1366}$' }),
    public_key: bytes({ min: 1, max: 8192 }),
    counter: integer({ min: 0, max: 2 ** 32 - 1 }),
    transports: Type.Array(Code, { maxItems: 20 }),
    is_synced: Flag,
    is_backed_up: Flag,
    name: field.Name,
    ...created,
    last_used_at: OptionalMoment,
  },
  recovery_codes: { user_id: Id, code_hash: Sha256, used_at: OptionalMoment },
  calendars: { id: Id, kind: Type.Enum([...CALENDAR_KINDS]), version: Counter },
  lesson_types: {
    ...LessonTypeSchema.properties,
    position: Position,
    code: Code,
    category: Code,
    requirement_key: nullable(Code),
    ...versioned,
  },
  license_class_templates: {
    id: Id,
    position: Position,
    code: Code,
    license_class: field.LicenseClass,
    name: field.Name,
    min_age: nullable(Type.Number({ minimum: 0, maximum: 150 })),
    law: nullable(field.Name),
    valid_from: nullable(LocalDate),
    valid_to: nullable(LocalDate),
    training_years: nullable(Units),
    ...created,
    updated_at: Moment,
  },
  template_requirements: {
    license_class_template_id: Id,
    position: Position,
    lesson_type_id: Id,
    required_units: Units,
    min_one_block_units: nullable(Units),
    unit_minutes: nullable(Units),
    by_prior: Type.Array(field.closed({ classes: Type.Array(Code), required_units: Units })),
    shared: Type.Boolean(),
    includes: Type.Array(Code),
    also: nullable(field.closed({ gearbox: Type.Enum(['manual', 'automatic']) })),
    min_minutes: nullable(Units),
    not_by_trainee: Type.Boolean(),
  },
  locations: { ...LocationSchema.properties, ...deletable },
  vehicles: { ...VehicleSchema.properties, absences: Absences, ...deletable },
  instructors: { id: Id, ...field.schemasOf(INSTRUCTOR_FIELDS), absences: Absences, ...versioned },
  availability_windows: {
    instructor_id: Id,
    position: Position,
    weekday: integer({ min: 1, max: 7 }),
    start: field.TimeOfDay,
    end: field.EndOfWindow,
    valid_from: nullable(LocalDate),
    valid_to: nullable(LocalDate),
    every_weeks: integer({ min: 1, max: MAX_WEEKS_IN_TURN }),
  },
  vacations: {
    instructor_id: Id,
    position: Position,
    start_date: LocalDate,
    end_date: LocalDate,
    note: OptionalNotes,
  },
  students: {
    id: Id,
    ...field.schemasOf(STUDENT_FIELDS),
    opening_balance: OpeningBalanceSchema,
    contacts: ContactsSchema,
    archived_at: OptionalMoment,
    restriction: nullable(RestrictionSchema),
    hold_reason: nullable(HoldSchema.properties.reason),
    hold_until: HoldSchema.properties.until,
    ...deletable,
  },
  enrolments: { ...StoredEnrolmentSchema.properties, ...deletable },
  ticks: { ...StoredTickSchema.properties, ...deletable },
  appointments: {
    id: Id,
    ...field.schemasOf(APPOINTMENT_FIELDS),
    attendees: Attendees,
    overrides_used: OverridesUsedSchema,
    series_id: OptionalId,
    license_class: nullable(field.LicenseClass),
    cancellation: NullableCancellation,
    no_show_fee_percent: NullableNoShowFee,
    confirmed_at: OptionalMoment,
    cancelled_with_student: Flag,
    ...deletable,
  },
  signatures: {
    id: Id,
    student_id: Id,
    enrolment_id: OptionalId,
    appointment_id: OptionalId,
    as: Type.Enum([...SIGNED_AS]),
    name: field.SignedName,
    digest: NewLessonSignatureSchema.properties.digest,
    strokes: NewLessonSignatureSchema.properties.strokes,
    document: Type.Object({}),
    actor_kind: Type.Enum(['user', 'command', 'student', 'system']),
    actor_id: OptionalId,
    actor_name: field.Name,
    at: Moment,
  },
  schedule_requests: {
    id: Id,
    instructor_id: Id,
    start_date: nullable(LocalDate),
    end_date: nullable(LocalDate),
    availability_windows: nullable(NewAvailabilityWindows),
    windows_before: nullable(NewAvailabilityWindows),
    note: OptionalNotes,
    status: ScheduleRequestStatusSchema,
    answer: OptionalNotes,
    ...versioned,
  },
  closures: { ...ClosureSchema.properties, ...deletable },
  enquiries: { ...StoredEnquirySchema.properties, form_id: Id, consent_at: Moment, ...versioned },
  wishes: { ...WishSchema.properties, ...deletable },
  availability: { ...StoredAvailabilitySchema.properties, ...deletable },
  offers: {
    id: Id,
    instructor_id: Id,
    lesson_type_id: Id,
    start_at: field.LocalDateTime,
    end_at: field.LocalDateTime,
    expires_at: Moment,
    state: Type.Enum(['open', 'taken', 'withdrawn']),
    appointment_id: OptionalId,
    taken_by: OptionalId,
    ...versioned,
  },
  availability_rounds: {
    id: Id,
    week_start: LocalDate,
    due_at: Moment,
    state: RoundStateSchema,
    student_ids: Type.Array(Id, { maxItems: 100_000 }),
    finished_at: OptionalMoment,
  },
  retention_runs: {
    id: Id,
    at: Moment,
    actor_kind: RetentionRunSchema.properties.actor.properties.kind,
    actor_id: OptionalId,
    actor_name: field.Name,
    digest: RetentionRunSchema.properties.digest,
    agreed: Flag,
    outcomes: Type.Record(
      Id,
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        enum: ['erased', 'restricted', ...SKIP_REASONS, null],
      }),
    ),
    counts: RetentionRunSchema.properties.counts,
    finished_at: OptionalMoment,
  },
  plans: {
    id: Id,
    from: LocalDate,
    to: LocalDate,
    state: Type.Enum(['draft', 'applied', 'discarded']),
    instructor_ids: PlanSchema.properties.instructor_ids,
    student_ids: nullable(Type.Array(Id, { maxItems: 1000 })),
    overrides: Flag,
    weights: PlanSchema.properties.weights,
    effort: PlanSchema.properties.effort,
    seed: PlanSchema.properties.seed,
    proposed: Type.Array(ProposedLessonSchema),
    left_out: Type.Array(LeftOutSchema),
    dropped: Type.Array(field.closed({ student_id: LowerId, week_start: LocalDate })),
    figures: PlanFiguresSchema,
    applied: nullable(
      field.closed({
        as: PlanApplicationSchema.properties.as,
        set_id: Id,
        refused: AppliedPlanSchema.properties.refused,
      }),
    ),
    actor_kind: PlanSchema.properties.actor.properties.kind,
    actor_id: OptionalId,
    actor_name: field.Name,
    ...versioned,
  },
  changes: {
    id: Id,
    at: Moment,
    actor_kind: Type.Enum(['user', 'command', 'student', 'system']),
    actor_id: OptionalId,
    actor_name: field.Name,
    resource: Type.Enum([...RESOURCES]),
    resource_id: Id,
    action: Type.Enum(['created', 'changed', 'deleted', 'restored', 'erased']),
    set_id: Id,
    undoes: OptionalId,
    before: nullable(Type.Object({})),
    after: nullable(Type.Object({})),
  },
  idempotency_keys: {
    user_id: Id,
    key: text({ min: 1, max: 255 }),
    part: Position,
    request_hash: nullable(Sha256),
    body: nullable(Type.String({ format: 'json-object' })),
    at: Moment,
  },
} as const satisfies Schemas

function bytes({ min, max }: Range): TSchema & { type: string } {
  return Type.String({ pattern: `^\\\\x(?:[0-9a-f]{2}){${min},${max}}$` })
}

import { type RawBuilder, sql } from 'kysely'
import type { Enrolment } from '../../contract/enrolment.ts'
import type { Student } from '../../contract/student.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RecordedCredit, RecordedInstructor, RecordRequirement } from '../../domain/record-content.ts'
import type { RecordLesson } from '../../domain/record-lessons.ts'
import type { StoredAppointment } from '../appointments/appointments.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
import { isOwn, sharedTypesOf } from '../appointments/own-lessons.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { actualEndAt, actualStartAt, endAt, startAt, utc } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { requirementFields } from './progress.ts'
import type { StoredSignature } from './signatures.ts'
import { isSeenBy, type StudentFilter } from './students.ts'

/** The students whose records are seen: owners also see those of whom only the record is left. */
export type RecordFilter = Pick<StudentFilter, 'own' | 'withPreferring'> & { readonly withRestricted?: true }

/** An enrolment with its student and the law of its template. */
export type RecordedEnrolment = Pick<
  Enrolment,
  | 'id'
  | 'student_id'
  | 'license_class'
  | 'law'
  | 'prior_classes'
  | 'ends_on'
  | 'outcome'
  | 'theory_ended_on'
  | 'practice_ended_on'
  | 'cooperation'
> & {
  readonly student: Pick<Student, 'last_name' | 'first_name' | 'address' | 'birth_date'>
  readonly template_code: string
  readonly training_years: number | null
  readonly requirements: readonly RecordRequirement[]
  readonly credits: readonly RecordedCredit[]
  /** The signatures of the record without what was signed, which is long, oldest first. */
  readonly signatures: readonly Omit<StoredSignature, 'document'>[]
}

type RecordQuery = { readonly tenantId: string; readonly id: string } & RecordFilter

export async function findRecordedEnrolment(
  db: Database,
  tenantId: string,
  id: string,
  filter: RecordFilter,
): Promise<RecordedEnrolment | undefined> {
  const [row] = await selectEnrolment(db, { tenantId, id, ...filter })
  return row
}

const isShown = ({ tenantId, own, withPreferring, withRestricted }: Parameters<Omit<RecordQuery, 'id'>>) => {
  const isThere = withRestricted
    ? sql`(students.deleted_at is null or students.restriction is not null)`
    : sql`students.deleted_at is null`
  return sql<boolean>`${isThere}${own ? sql` and ${isSeenBy(tenantId, own, withPreferring)}` : sql``}`
}

const creditsOf = (tenantId: RawBuilder<string>) => sql<readonly RecordedCredit[]>`(
  select coalesce(json_agg(json_build_object('lesson_type_id', credit.lesson_type_id, 'units', credit.units,
    'minutes', credit.minutes, 'date', credit.date, 'school', credit.school, 'document', credit.document,
    'topics', credit.topics, 'requirement_key', type.requirement_key) order by place), '[]')
  from rows from (json_to_recordset(enrolment.credits)
    as (lesson_type_id uuid, units integer, minutes integer, date text, school text, document text, topics json))
    with ordinality credit (lesson_type_id, units, minutes, date, school, document, topics, place)
  join lesson_types type on type.tenant_id = ${tenantId} and type.id = credit.lesson_type_id)`

const signatureFields = sql`'id', signed.id, 'student_id', signed.student_id, 'enrolment_id', signed.enrolment_id,
  'appointment_id', signed.appointment_id, 'as', signed.as, 'name', signed.name, 'digest', signed.digest,
  'actor_kind', signed.actor_kind, 'actor_id', signed.actor_id, 'actor_name', signed.actor_name, 'at', ${utc('signed.at')}`

const selectEnrolment = statement((db, { id, ...values }: Parameters<RecordQuery>) =>
  sql<RecordedEnrolment>`
    select enrolment.id, enrolment.student_id, enrolment.license_class, enrolment.law, enrolment.prior_classes,
      enrolment.ends_on, enrolment.outcome, enrolment.theory_ended_on, enrolment.practice_ended_on, enrolment.cooperation,
      template.code as template_code, template.training_years,
      json_build_object('last_name', students.last_name, 'first_name', students.first_name,
        'address', students.address, 'birth_date', to_char(students.birth_date, 'YYYY-MM-DD')) as student,
      (select coalesce(json_agg(json_build_object(${requirementFields(values.tenantId)}, 'code', type.code,
          'is_theory', type.category = 'theory', 'shared', requirement.shared) order by requirement.position), '[]')
        from template_requirements requirement
        join lesson_types type on type.tenant_id = ${values.tenantId} and type.id = requirement.lesson_type_id
        where requirement.tenant_id = ${values.tenantId}
          and requirement.license_class_template_id = template.id) as requirements,
      ${creditsOf(values.tenantId)} as credits,
      (select coalesce(json_agg(json_build_object(${signatureFields}) order by signed.at, signed.id), '[]')
        from signatures signed
        where signed.tenant_id = ${values.tenantId} and signed.enrolment_id = enrolment.id) as signatures
    from enrolments enrolment
    join students on students.tenant_id = ${values.tenantId} and students.id = enrolment.student_id
    join license_class_templates template
      on template.tenant_id = ${values.tenantId} and template.id = enrolment.template_id
    where enrolment.tenant_id = ${values.tenantId} and enrolment.id = ${id} and enrolment.deleted_at is null
      and ${isShown(values)}`.compile(db),
)

/** A lesson with its instructor, and the completed lessons of the instructor that overlap it by actual times. */
export type TaughtLesson = RecordLesson & {
  readonly instructor: RecordedInstructor
  readonly overlaps: readonly string[]
}

type Own = {
  readonly tenantId: string
  readonly id: string
  readonly student_id: string
  readonly changed_id?: string
  /** The changed lesson as JSON. */
  readonly changed?: string
}

/** Returns the lessons of the student of an enrolment but cancelled ones, by start; a changed one as if it were stored. */
export async function readRecordLessons(
  db: Database,
  tenantId: string,
  {
    id,
    student_id,
    changed,
  }: Pick<Enrolment, 'id' | 'student_id'> & { readonly changed?: StoredAppointment },
): Promise<readonly TaughtLesson[]> {
  const [row] = await selectLessons(db, {
    ...{ tenantId, id, student_id },
    ...(changed && { changed_id: changed.id, changed: JSON.stringify({ ...changed, tenant_id: tenantId }) }),
  })
  return row?.lessons ?? []
}

/** The enrolment with its template as one row, which is computed once instead of for every lesson. */
const RULES = {
  lesson: 'lesson',
  given: sql.ref('given_enrolment'),
  enrolment: 'rules',
  template: 'rules',
  sharedTypes: sql`shared_types`,
}

/** Selects the lessons as one JSON text, which takes half as long to read as rows. */
const selectLessons = statement((db, { tenantId, id, student_id, changed_id, changed }: Parameters<Own>) => {
  const student = sql`${student_id}::uuid`
  const seat = sql`(select entry -> 'attended' from jsonb_array_elements(lesson.attendees) entry
    where entry ->> 'student_id' = ${student}::text)`
  return sql<{
    readonly lessons: readonly TaughtLesson[]
  }>`select coalesce(json_agg(taught), '[]') as lessons from (
    select lesson.id, lesson.instructor_id, lesson.lesson_type_id, type.requirement_key, type.code, type.category,
      type.only_in_the_dark, ${outcomeFor(student, 'lesson')} as status, ${startAt}, ${endAt}, ${actualStartAt},
      ${actualEndAt}, ${isOwn(tenantId, RULES)} as is_own, lesson.seats, lesson.topic, lesson.practised,
      case when lesson.attendees = '[]' then to_jsonb(true) else ${seat} end as attended,
      case when lesson.attendees = '[]' then 1 else (
        select count(*)::integer from jsonb_array_elements(lesson.attendees) entry
        where entry -> 'attended' = 'true') end as students,
      (lesson.exam_result ->> 'passed')::boolean as passed,
      instructor.is_trainee as by_trainee, json_build_object('id', instructor.id, 'number', instructor.number,
        'name', instructor.first_name || ' ' || instructor.last_name, 'license_classes', instructor.license_classes) as instructor,
      case when lesson.vehicle_ids = '{}' then '[]' else (
        select coalesce(json_agg(json_build_object('name', vehicles.name, 'gearbox', vehicles.gearbox) order by place), '[]')
        from unnest(lesson.vehicle_ids) with ordinality used (id, place)
        join vehicles on vehicles.tenant_id = ${tenantId} and vehicles.id = used.id) end as vehicles,
      ${overlapsOf(tenantId)} as overlaps
    from ${lessonsOf(tenantId, student, changed && appointmentsWith(tenantId, changed_id, changed))} lesson
    join lesson_types type on type.tenant_id = ${tenantId} and type.id = lesson.lesson_type_id
    join instructors instructor on instructor.tenant_id = ${tenantId} and instructor.id = lesson.instructor_id,
    (select enrolment.id, enrolment.begins_on, enrolment.ends_on, template.license_class, template.training_years,
        ${sharedTypesOf(tenantId, sql`enrolment.template_id`)} as shared_types
      from enrolments enrolment join license_class_templates template
        on template.tenant_id = ${tenantId} and template.id = enrolment.template_id
      where enrolment.tenant_id = ${tenantId} and enrolment.id = ${id} offset 0) rules
    where lesson.deleted_at is null and lesson.status <> 'cancelled'
    order by lesson.start_at, lesson.id) taught`.compile(db)
})

/** Selects the appointments of the school with a changed one in place of the stored one. */
function appointmentsWith(
  tenantId: RawBuilder<string>,
  id: unknown,
  changed: RawBuilder<string | undefined>,
) {
  return sql`(select * from appointments where tenant_id = ${tenantId} and id <> ${id}
    union all select * from json_populate_record(null::appointments, ${changed}::json)) appointments`
}

/** Selects the completed lessons of the instructor of `lesson` that overlap it. Without actual times, none does. */
function overlapsOf(tenantId: RawBuilder<string>): RawBuilder<readonly string[]> {
  const began = (alias: string) =>
    sql`coalesce(${sql.ref(`${alias}.actual_start_at`)}, ${sql.ref(`${alias}.start_at`)})`
  const ended = (alias: string) =>
    sql`coalesce(${sql.ref(`${alias}.actual_end_at`)}, ${sql.ref(`${alias}.end_at`)})`
  return sql`array(
    select other.id from appointments other
    where other.tenant_id = ${tenantId} and other.instructor_id = lesson.instructor_id
      and other.start_at > lesson.start_at - interval '36 hours' and other.start_at < lesson.end_at + interval '12 hours'
      and lesson.status = 'completed' and other.deleted_at is null
      and other.status = 'completed' and other.id <> lesson.id
      and (lesson.actual_start_at is not null or other.actual_start_at is not null)
      and ${began('other')} < ${ended('lesson')} and ${began('lesson')} < ${ended('other')}
    order by other.start_at, other.id)`
}

export function readRecordedInstructors(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<RecordedInstructor[]> {
  return selectInstructors(db, { tenantId, ids })
}

const selectInstructors = statement(
  (db, { tenantId, ids }: Parameters<{ tenantId: string; ids: readonly string[] }>) =>
    db
      .selectFrom('instructors')
      .select(['id', sql<string>`first_name || ' ' || last_name`.as('name'), 'number', 'license_classes'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .compile(),
)

export type RecordPeriod = {
  readonly from: LocalDate
  readonly to: LocalDate
  readonly state: 'ended' | 'running'
  readonly instructor_id?: string | undefined
}

type Listed = {
  readonly tenantId: string
  readonly from: LocalDate
  readonly to: LocalDate
} & RecordFilter & {
    readonly running?: true
    readonly instructor_id?: string
  }

/** Returns the ids of enrolments that ended in the period, or that are open and began by its end, by name and begin. */
export function listRecordedEnrolments(
  db: Database,
  tenantId: string,
  { state, instructor_id, ...period }: RecordPeriod,
  filter: RecordFilter,
): Promise<{ readonly id: string }[]> {
  return selectPeriod(db, {
    tenantId,
    ...period,
    ...filter,
    ...(state === 'running' && { running: true }),
    ...(instructor_id !== undefined && { instructor_id }),
  })
}

const selectPeriod = statement((db, { from, to, running, instructor_id, ...values }: Parameters<Listed>) =>
  sql<{ readonly id: string }>`
    select enrolment.id from enrolments enrolment
    join students on students.tenant_id = ${values.tenantId} and students.id = enrolment.student_id
    where enrolment.tenant_id = ${values.tenantId} and enrolment.deleted_at is null
      and ${
        running
          ? sql`enrolment.outcome is null and enrolment.begins_on <= ${to}::date and ${from}::date <= ${to}::date`
          : sql`enrolment.outcome is not null and enrolment.ends_on between ${from}::date and ${to}::date`
      }
      and ${isShown(values)}
      ${instructor_id ? sql`and ${isSeenBy(values.tenantId, instructor_id, undefined)}` : sql``}
    order by students.last_name, students.first_name, enrolment.begins_on, enrolment.id`.compile(db),
)

/** The credits of an enrolment, with its version. */
export type EnrolmentCredits = {
  readonly version: number
  readonly student_id: string
  readonly credits: readonly RecordedCredit[]
}

export async function findCredits(
  db: Database,
  tenantId: string,
  id: string,
  filter: Pick<StudentFilter, 'own' | 'withPreferring'> = {},
): Promise<EnrolmentCredits | undefined> {
  const [row] = await selectCredits(db, { tenantId, id, ...filter })
  return row
}

const selectCredits = statement((db, { id, ...values }: Parameters<RecordQuery>) =>
  sql<EnrolmentCredits>`
    select enrolment.version, enrolment.student_id, ${creditsOf(values.tenantId)} as credits from enrolments enrolment
    join students on students.tenant_id = ${values.tenantId} and students.id = enrolment.student_id
    where enrolment.tenant_id = ${values.tenantId} and enrolment.id = ${id} and enrolment.deleted_at is null
      and ${isShown(values)}`.compile(db),
)

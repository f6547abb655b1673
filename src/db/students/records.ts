import { type RawBuilder, sql } from 'kysely'
import type { Enrolment } from '../../contract/enrolment.ts'
import type { Student } from '../../contract/student.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RecordedCredit, RecordedInstructor, RecordRequirement } from '../../domain/record-content.ts'
import type { Overlap } from '../../domain/record-facts.ts'
import type { RecordLesson } from '../../domain/record-lessons.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
import { isOwn, sharedTypesOf } from '../appointments/own-lessons.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { actualEndAt, actualStartAt, endAt, startAt } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { requirementFields } from './progress.ts'
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
}

type Wanted = { readonly tenantId: string; readonly id: string } & RecordFilter

export async function findRecordedEnrolment(
  db: Database,
  tenantId: string,
  id: string,
  filter: RecordFilter,
): Promise<RecordedEnrolment | undefined> {
  const [row] = await selectEnrolment(db, { tenantId, id, ...filter })
  return row
}

const isShown = ({ tenantId, own, withPreferring, withRestricted }: Parameters<Omit<Wanted, 'id'>>) => {
  const isThere = withRestricted
    ? sql`(students.deleted_at is null or students.restriction is not null)`
    : sql`students.deleted_at is null`
  return sql<boolean>`${isThere}${own ? sql` and ${isSeenBy(tenantId, own, withPreferring)}` : sql``}`
}

/** Selects the credits of `enrolment`, after the opening balance if it is the current one. */
const creditsOf = (tenantId: RawBuilder<string>) => sql<readonly RecordedCredit[]>`(
  select coalesce(json_agg(json_build_object('lesson_type_id', entry.lesson_type_id, 'units', entry.units,
    'minutes', entry.minutes, 'date', to_char(entry.date, 'YYYY-MM-DD'), 'school', entry.source,
    'document', entry.document, 'topics', coalesce(entry.topics, '[]'), 'requirement_key', type.requirement_key)
    order by entry.rank, entry.place), '[]')
  from (
    select 1 as rank, place, lesson_type_id, units, null::integer as minutes, date, source, null as document, null::json as topics
    from rows from (json_to_recordset(case when enrolment.is_current then students.opening_balance else '[]' end)
      as (lesson_type_id uuid, units integer, date date, source text))
      with ordinality as brought (lesson_type_id, units, date, source, place)
    union all
    select 2, place, lesson_type_id, units, minutes, date, school, document, topics
    from rows from (json_to_recordset(enrolment.credits)
      as (lesson_type_id uuid, units integer, minutes integer, date date, school text, document text, topics json))
      with ordinality as credited (lesson_type_id, units, minutes, date, school, document, topics, place)) entry
  join lesson_types type on type.tenant_id = ${tenantId} and type.id = entry.lesson_type_id)`

const selectEnrolment = statement((db, { id, ...values }: Parameters<Wanted>) =>
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
      ${creditsOf(values.tenantId)} as credits
    from enrolments enrolment
    join students on students.tenant_id = ${values.tenantId} and students.id = enrolment.student_id
    join license_class_templates template
      on template.tenant_id = ${values.tenantId} and template.id = enrolment.template_id
    where enrolment.tenant_id = ${values.tenantId} and enrolment.id = ${id} and enrolment.deleted_at is null
      and ${isShown(values)}`.compile(db),
)

/** A lesson with its instructor. */
export type TaughtLesson = RecordLesson & { readonly instructor: RecordedInstructor }

type Own = { readonly tenantId: string; readonly id: string; readonly student_id: string }

/** Returns the lessons of the student of an enrolment but cancelled ones, by start. */
export function readRecordLessons(
  db: Database,
  tenantId: string,
  { id, student_id }: Pick<Enrolment, 'id' | 'student_id'>,
): Promise<TaughtLesson[]> {
  return selectLessons(db, { tenantId, id, student_id })
}

const RULES = {
  lesson: 'lesson',
  given: sql.ref('given_enrolment'),
  enrolment: 'enrolment',
  template: 'template',
  sharedTypes: sql`shared_types`,
}

const selectLessons = statement((db, { tenantId, id, student_id }: Parameters<Own>) => {
  const student = sql`${student_id}::uuid`
  const seat = sql`(select entry -> 'attended' from jsonb_array_elements(lesson.attendees) entry
    where entry ->> 'student_id' = ${student}::text)`
  return sql<TaughtLesson>`
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
      (select coalesce(json_agg(json_build_object('name', vehicles.name, 'gearbox', vehicles.gearbox) order by place), '[]')
        from unnest(lesson.vehicle_ids) with ordinality used (id, place)
        join vehicles on vehicles.tenant_id = ${tenantId} and vehicles.id = used.id) as vehicles
    from ${lessonsOf(tenantId, student)} lesson
    join lesson_types type on type.tenant_id = ${tenantId} and type.id = lesson.lesson_type_id
    join instructors instructor on instructor.tenant_id = ${tenantId} and instructor.id = lesson.instructor_id
    join enrolments enrolment on enrolment.tenant_id = ${tenantId} and enrolment.id = ${id}
    join license_class_templates template
      on template.tenant_id = ${tenantId} and template.id = enrolment.template_id,
    (select ${sharedTypesOf(tenantId, sql`enrolment.template_id`)} as shared_types from enrolments enrolment
      where enrolment.tenant_id = ${tenantId} and enrolment.id = ${id} offset 0) rules
    where lesson.deleted_at is null and lesson.status <> 'cancelled'
    order by lesson.start_at, lesson.id`.compile(db)
})

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

/** Returns the completed lessons that overlap some of a student, by actual times: planned ones never do. */
export function readOverlaps(db: Database, tenantId: string, student_id: string): Promise<Overlap[]> {
  return selectOverlaps(db, { tenantId, student_id })
}

const selectOverlaps = statement((db, { tenantId, student_id }: Parameters<Omit<Own, 'id'>>) => {
  const began = (alias: string) =>
    sql`coalesce(${sql.ref(`${alias}.actual_start_at`)}, ${sql.ref(`${alias}.start_at`)})`
  const ended = (alias: string) =>
    sql`coalesce(${sql.ref(`${alias}.actual_end_at`)}, ${sql.ref(`${alias}.end_at`)})`
  return sql<Overlap>`
    select lesson.id, other.id as with from ${lessonsOf(tenantId, sql`${student_id}::uuid`)} lesson
    join appointments other on other.tenant_id = ${tenantId} and other.instructor_id = lesson.instructor_id
      and other.start_at > lesson.start_at - interval '36 hours' and other.start_at < lesson.end_at + interval '12 hours'
    where lesson.deleted_at is null and lesson.status = 'completed' and other.deleted_at is null
      and other.status = 'completed' and other.id <> lesson.id
      and (lesson.actual_start_at is not null or other.actual_start_at is not null)
      and ${began('other')} < ${ended('lesson')} and ${began('lesson')} < ${ended('other')}
    order by lesson.start_at, other.start_at, other.id`.compile(db)
})

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

const selectCredits = statement((db, { id, ...values }: Parameters<Wanted>) =>
  sql<EnrolmentCredits>`
    select enrolment.version, enrolment.student_id, ${creditsOf(values.tenantId)} as credits from enrolments enrolment
    join students on students.tenant_id = ${values.tenantId} and students.id = enrolment.student_id
    where enrolment.tenant_id = ${values.tenantId} and enrolment.id = ${id} and enrolment.deleted_at is null
      and ${isShown(values)}`.compile(db),
)

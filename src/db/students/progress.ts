import { type RawBuilder, sql } from 'kysely'
import type { Enrolment } from '../../contract/enrolment.ts'
import { notFound } from '../../contract/problem.ts'
import type { Student } from '../../contract/student.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { type LessonCount, type Progress, progressOf, sumOf, type Training } from '../../domain/progress.ts'
import { type ExamCandidate, type ExamRules, type ExamTaken, readinessOf } from '../../domain/readiness.ts'
import type { Gearbox, Requirement } from '../../domain/requirements.ts'
import { missingTopicsOf, type PlannedTopic } from '../../domain/topics.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
import { isOwn, sharedTypesOf } from '../appointments/own-lessons.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { finishedList, type JsonList, jsonList } from '../json-list.ts'
import type { Database } from '../schema/tables.ts'
import { BY_NAME, calendarVersion, type StudentFilter, selectStudents } from './students.ts'

type School = { readonly id: string; readonly unit_minutes: number }

export async function requireProgress(
  db: Database,
  { id: tenantId, unit_minutes }: School,
  student: { readonly id: string } & StudentFilter,
): Promise<Progress> {
  return progressOf(await requireTraining(db, tenantId, student), unit_minutes)
}

export async function requireTraining(
  db: Database,
  tenantId: string,
  student: { readonly id: string } & StudentFilter,
): Promise<Training> {
  const [row] = await selectTraining(db, { tenantId, ...student })
  if (!row) throw notFound()
  return row.training
}

/** Returns the progress of an enrolment that exists. */
export async function readEnrolmentProgress(
  db: Database,
  { id: tenantId, unit_minutes }: School,
  { id, student_id }: Pick<Enrolment, 'id' | 'student_id'>,
): Promise<Progress> {
  const [row] = await selectEnrolmentTraining(db, { tenantId, student_id, id })
  if (!row) throw notFound()
  return progressOf(row.training, unit_minutes)
}

export async function readTrainings(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Training>> {
  const rows = await selectTrainings(db, { tenantId, ids })
  return new Map(rows.map(({ id, training }) => [id, training]))
}

export function listStudentsWithProgress(
  db: Database,
  { id, unit_minutes }: School,
  filter: StudentFilter = {},
): JsonList {
  return finishedList<Trainee>(trainees(db, id, filter), ({ training, ...student }) => ({
    ...student,
    progress: sumOf(training, unit_minutes),
  }))
}

/** Lists students by name with the topics that they lack. */
export function listStudentsWithMissingTopics(
  db: Database,
  { id, unit_minutes }: School,
  { topics, ...filter }: StudentFilter & { readonly topics: readonly PlannedTopic[] },
): JsonList {
  return finishedList<Trainee>(trainees(db, id, filter), ({ training, ...student }) => ({
    ...student,
    missing_topics: missingTopicsOf(training, { topics, unit_minutes }),
  }))
}

/** Lists students by name with their readiness for the exam and, optionally, their progress, in one statement. */
export function listStudentsWithReadiness(
  db: Database,
  { id, unit_minutes }: School,
  { withProgress, ...filter }: StudentFilter & { readonly withProgress: boolean },
  rules: ExamRules & { readonly today: LocalDate },
): JsonList {
  const rows = candidates(db, id, filter)
  const outline = async () => {
    const { digest, pages } = await rows.outline()
    return { digest: `${digest} ${rules.today}`, pages }
  }
  return finishedList<Candidate>({ ...rows, outline }, ({ training, exams, template_code, ...student }) => ({
    ...student,
    ...(withProgress && { progress: sumOf(training, unit_minutes) }),
    readiness: readinessOf({ training, exams, template_code }, { ...rules, unit_minutes }),
  }))
}

export const requirementFields = (
  tenantId: RawBuilder<string>,
) => sql`'lesson_type_id', requirement.lesson_type_id,
  'requirement_key', requirement_key, 'required_units', required_units, 'min_one_block_units', min_one_block_units,
  'unit_minutes', unit_minutes, 'by_prior', by_prior, 'also', also, 'min_minutes', min_minutes,
  'not_by_trainee', not_by_trainee, 'includes', case when includes = '[]' then includes else (
    select jsonb_agg(jsonb_build_object('lesson_type_id', included.id, 'requirement_key', included.requirement_key))
    from lesson_types included where included.tenant_id = ${tenantId} and includes ? included.code) end`

export const requirementObject = (tenantId: RawBuilder<string>) =>
  sql<Requirement>`json_build_object(${requirementFields(tenantId)})`

export const gearboxOf = (tenantId: RawBuilder<string>, alias: string) => sql<Gearbox | null>`(
  select min(gearbox) from vehicles
  where vehicles.tenant_id = ${tenantId} and vehicles.id = any(${sql.ref(`${alias}.vehicle_ids`)}))`

/** Selects whether the instructor of a lesson is in training now. */
export const byTraineeOf = (tenantId: RawBuilder<string>, alias: string) => sql<boolean>`(
  select is_trainee from instructors
  where instructors.tenant_id = ${tenantId} and instructors.id = ${sql.ref(`${alias}.instructor_id`)})`

export const countsByGearbox = sql<boolean>`category in ('practical', 'special')`

export function openingOf(tenantId: RawBuilder<string>) {
  return sql<readonly LessonCount[]>`(
    select coalesce(json_agg(json_build_object('lesson_type_id', brought.id, 'requirement_key', brought.requirement_key,
      'is_own', true, 'status', 'opening', 'units', entry.units, 'minutes', 0, 'count', 1)), '[]')
    from json_to_recordset(coalesce(enrolment.credits, opening_balance)) entry (lesson_type_id uuid, units integer)
    join lesson_types brought on brought.tenant_id = ${tenantId} and brought.id = entry.lesson_type_id)`
}

export function heldClasses(prior: RawBuilder<unknown>) {
  return sql<readonly string[] | null>`case when ${prior} is not null then (
    select coalesce(json_agg(held ->> 'license_class'), '[]') from json_array_elements(${prior}) held) end`
}

const COUNTED = {
  lesson: 'appointment',
  given: sql.ref('given_enrolment'),
  enrolment: 'enrolment',
  template: 'template',
}

export const lessonMinutes = sql<number>`(extract(epoch from end_at - start_at) / 60)::integer`

export const actualMinutes = sql<
  number | null
>`(extract(epoch from actual_end_at - actual_start_at) / 60)::integer`

type Trainee = Student & { readonly training: Training }
type Candidate = Student & ExamCandidate

const CURRENT = sql`enrolment.is_current`

const fromEnrolment = (tenantId: RawBuilder<string>, isWanted: RawBuilder<unknown>) => sql`
  from students trained
  left join enrolments enrolment on enrolment.tenant_id = ${tenantId} and enrolment.student_id = trained.id
    and enrolment.deleted_at is null and ${isWanted}
  left join license_class_templates template on template.tenant_id = ${tenantId}
    and template.id = coalesce(enrolment.template_id, trained.license_class_template_id)
  where trained.tenant_id = ${tenantId} and trained.id = students.id`

/** Selects lessons that touch, with the same instructor and type on one day, as one that is long enough for a block but counts nothing itself. */
export const chainsWith = (day: RawBuilder<unknown>) => sql`
  select lesson_type_id, is_own, status, sum(coalesce(actual_minutes, minutes))::integer, null::integer, null, gearbox, by_trainee, 0
    ${day}
  from (
    select *, count(*) filter (where since is distinct from before) over day as chain
    from (
      select *, lag(until) over (partition by lesson_type_id, is_own, status, gearbox, by_trainee, instructor_id, since::date
        order by since, until) as before
      from lesson where has_blocks) following
    window day as (partition by lesson_type_id, is_own, status, gearbox, by_trainee, instructor_id, since::date
      order by since, until)) chained
  group by lesson_type_id, is_own, status, gearbox, by_trainee, instructor_id, since::date, chain
  having count(*) > 1`

/** Selects a student's `Training` for an enrolment, with lessons in the order of their types; the domain has the rules for it. */
const training = (tenantId: RawBuilder<string>, isWanted: RawBuilder<unknown> = CURRENT) => sql<Training>`(
  select json_build_object(
  'template_id', template.id,
  'license_class', template.license_class,
  'prior_classes', ${heldClasses(sql`enrolment.prior_classes`)},
  'requirements', (
    select coalesce(json_agg(json_build_object(${requirementFields(tenantId)}, 'is_theory', lesson_type.category = 'theory')
      order by requirement.position), '[]')
    from template_requirements requirement
    join lesson_types lesson_type
      on lesson_type.tenant_id = ${tenantId} and lesson_type.id = requirement.lesson_type_id
    where requirement.tenant_id = ${tenantId}
      and requirement.license_class_template_id = template.id),
  'opening', ${openingOf(tenantId)},
  'lessons', (
    select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id,
      'requirement_key', requirement_key, 'is_own', is_own, 'status', status, 'minutes', minutes,
      'actual_minutes', actual_minutes, 'topic', case when seats > 1 then topic end,
      'gearbox', case when ${countsByGearbox} then gearbox end, 'by_trainee', by_trainee, 'count', count) order by position), '[]')
    from (
      with lesson as (
        select lesson_type_id, ${isOwn(tenantId, { ...COUNTED, sharedTypes: sql`shared_types` })} as is_own,
          ${outcomeFor(sql`students.id`, 'appointment')} as status,
          ${lessonMinutes} as minutes, ${actualMinutes} as actual_minutes, topic,
          case when by_gearbox then ${gearboxOf(tenantId, 'appointment')} end as gearbox,
          refuses_trainees and ${byTraineeOf(tenantId, 'appointment')} as by_trainee,
          instructor_id, has_blocks, coalesce(actual_start_at, start_at) as since, coalesce(actual_end_at, end_at) as until
        from ${lessonsOf(tenantId, sql`students.id`)} appointment, (
          select coalesce(bool_or(also is not null), false) as by_gearbox,
            coalesce(bool_or(not_by_trainee), false) as refuses_trainees,
            coalesce(bool_or(min_one_block_units is not null), false) as has_blocks,
            ${sharedTypesOf(tenantId, sql`template.id`)} as shared_types
          from template_requirements requirement
          where requirement.tenant_id = ${tenantId} and requirement.license_class_template_id = template.id
          offset 0) rules
        where appointment.deleted_at is null and not exists (
          select from enrolments other where other.tenant_id = ${tenantId} and other.id = given_enrolment
            and other.id <> enrolment.id and other.outcome is null and other.deleted_at is null
            and appointment.lesson_type_id <> all(shared_types)))
      select lesson_type_id, is_own, status, minutes, actual_minutes, topic, gearbox, by_trainee, count(*) as count
      from lesson group by 1, 2, 3, 4, 5, 6, 7, 8
      union all ${chainsWith(sql``)}) alike
    join lesson_types lesson_type
      on lesson_type.tenant_id = ${tenantId} and lesson_type.id = lesson_type_id))
  ${fromEnrolment(tenantId, isWanted)})`

/** Selects a version that never repeats: a booking increments the calendar's, any other change the lesson's. Trainees are the school's. */
const trainingVersion = ({
  tenantId,
}: Parameters<{ tenantId: string }>) => sql<string>`${calendarVersion({ tenantId })} || ' ' || (
  select count(*) || ' ' || coalesce(sum(hashtextextended(appointment.id || ' ' || appointment.version, 0)), 0)
  from ${lessonsOf(tenantId, sql`students.id`)} appointment) || ' ' || (
  select coalesce(sum(hashtextextended(trainee.id::text, 0)), 0) from instructors trainee
  where trainee.tenant_id = ${tenantId} and trainee.is_trainee)`

const trainees = jsonList(
  { ...BY_NAME, versionedBy: trainingVersion },
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) =>
    selectStudents(db, values).select(training(values.tenantId).as('training')),
)

const exams = (tenantId: RawBuilder<string>) => sql<readonly ExamTaken[]>`(
  select coalesce(json_agg(json_build_object('category', lesson_type.category,
    'date', to_char(exam.start_at, 'YYYY-MM-DD'), 'passed', (exam.exam_result ->> 'passed')::boolean)
    order by exam.start_at, exam.id), '[]')
  from appointments exam
  join lesson_types lesson_type on lesson_type.tenant_id = ${tenantId} and lesson_type.id = exam.lesson_type_id
  where exam.tenant_id = ${tenantId} and exam.student_id = students.id and exam.deleted_at is null
    and exam.status <> 'cancelled' and exam.exam_result is not null and lesson_type.category like '%exam'
    and exists (select ${fromEnrolment(tenantId, CURRENT)}
      and ${isOwn(tenantId, { lesson: 'exam', enrolment: 'enrolment', template: 'template' })}))`

const candidates = jsonList(
  { ...BY_NAME, versionedBy: trainingVersion },
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) =>
    selectStudents(db, values).select([
      training(values.tenantId).as('training'),
      exams(values.tenantId).as('exams'),
      sql<string | null>`(select template.code ${fromEnrolment(values.tenantId, CURRENT)})`.as(
        'template_code',
      ),
    ]),
)

const selectTraining = statement(
  (db, { id, ...values }: Parameters<{ tenantId: string; id: string } & StudentFilter>) =>
    selectStudents(db, values)
      .clearSelect()
      .select(training(values.tenantId).as('training'))
      .where('id', '=', id)
      .compile(),
)

const selectEnrolmentTraining = statement(
  (db, { tenantId, student_id, id }: Parameters<{ tenantId: string; student_id: string; id: string }>) =>
    selectStudents(db, { tenantId })
      .clearSelect()
      .select(training(tenantId, sql`enrolment.id = ${id}::uuid`).as('training'))
      .where('id', '=', student_id)
      .compile(),
)

const selectTrainings = statement(
  (db, { tenantId, ids }: Parameters<{ tenantId: string; ids: readonly string[] }>) =>
    selectStudents(db, { tenantId })
      .clearSelect()
      .select(['id', training(tenantId).as('training')])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .compile(),
)

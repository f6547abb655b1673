import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../contract/problem.ts'
import type { Student } from '../contract/student.ts'
import {
  type LessonCount,
  type Progress,
  progressOf,
  type Requirement,
  sumOf,
  type Training,
} from '../domain/progress.ts'
import { type ExamCandidate, type ExamRules, type ExamTaken, readinessOf } from '../domain/readiness.ts'
import { lessonsOf, outcomeFor } from './attendees.ts'
import { type Parameters, statement } from './connection/statement.ts'
import { finishedList, type JsonList, jsonList } from './json-list.ts'
import type { Database } from './schema/tables.ts'
import { BY_NAME, type StudentFilter, selectStudents } from './students.ts'

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

/** Lists students by name with their readiness for the exam and, optionally, their progress, in one statement. */
export function listStudentsWithReadiness(
  db: Database,
  { id, unit_minutes }: School,
  { withProgress, ...filter }: StudentFilter & { readonly withProgress: boolean },
  rules: ExamRules,
): JsonList {
  const rows = candidates(db, id, filter)
  return finishedList<Candidate>(rows, ({ training, exams, template_code, ...student }) => ({
    ...student,
    ...(withProgress && { progress: sumOf(training, unit_minutes) }),
    readiness: readinessOf({ training, exams, template_code }, { ...rules, unit_minutes }),
  }))
}

const requirementFields = sql`'lesson_type_id', lesson_type_id, 'requirement_key', requirement_key,
  'required_units', required_units, 'min_one_block_units', min_one_block_units`

export const requirementObject = sql<Requirement>`json_build_object(${requirementFields})`

export function openingOf(tenantId: RawBuilder<string>) {
  return sql<readonly LessonCount[]>`(
    select coalesce(json_agg(json_build_object('lesson_type_id', brought.id, 'requirement_key', brought.requirement_key,
      'license_class', null, 'status', 'opening', 'units', entry.units, 'minutes', 0, 'count', 1)), '[]')
    from json_to_recordset(opening_balance) entry (lesson_type_id uuid, units integer)
    join lesson_types brought on brought.tenant_id = ${tenantId} and brought.id = entry.lesson_type_id)`
}

export const lessonMinutes = sql<number>`(extract(epoch from end_at - start_at) / 60)::integer`

type Trainee = Student & { readonly training: Training }
type Candidate = Student & ExamCandidate

const ofTemplate = (tenantId: RawBuilder<string>, column: 'code' | 'license_class') => sql<string | null>`(
    select template.${sql.ref(column)} from license_class_templates template
    where template.tenant_id = ${tenantId} and template.id = students.license_class_template_id)`

/** Selects a student's `Training`, with lessons in the order of their types; the domain has the rules for it. */
const training = (tenantId: RawBuilder<string>) => sql<Training>`json_build_object(
  'template_id', license_class_template_id,
  'license_class', ${ofTemplate(tenantId, 'license_class')},
  'requirements', (
    select coalesce(json_agg(json_build_object(${requirementFields}, 'is_theory', lesson_type.category = 'theory')
      order by requirement.position), '[]')
    from template_requirements requirement
    join lesson_types lesson_type
      on lesson_type.tenant_id = ${tenantId} and lesson_type.id = requirement.lesson_type_id
    where requirement.tenant_id = ${tenantId}
      and requirement.license_class_template_id = students.license_class_template_id),
  'opening', ${openingOf(tenantId)},
  'lessons', (
    select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id,
      'requirement_key', requirement_key, 'license_class', license_class, 'status', status, 'minutes', minutes,
      'topic', case when seats > 1 then topic end, 'count', count) order by position), '[]')
    from (
      select lesson_type_id, license_class, ${outcomeFor(sql`students.id`, 'appointment')} as status,
        ${lessonMinutes} as minutes, topic, count(*) as count
      from ${lessonsOf(tenantId, sql`students.id`)} appointment
      where appointment.deleted_at is null
      group by 1, 2, 3, 4, 5) alike
    join lesson_types lesson_type
      on lesson_type.tenant_id = ${tenantId} and lesson_type.id = lesson_type_id))`

/** Selects a version that never repeats: a booking increments the calendar's, any other change the lesson's. */
const trainingVersion = ({
  tenantId,
}: Parameters<{ tenantId: string }>) => sql<string>`students.version || ' ' || (
  select calendar.version from calendars calendar
  where calendar.tenant_id = ${tenantId} and calendar.id = students.id) || ' ' || (
  select count(*) || ' ' || coalesce(sum(hashtextextended(appointment.id || ' ' || appointment.version, 0)), 0)
  from ${lessonsOf(tenantId, sql`students.id`)} appointment)`

const trainees = jsonList(
  { ...BY_NAME, versionedBy: trainingVersion },
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) =>
    selectStudents(db, values).select(training(values.tenantId).as('training')),
)

const exams = (tenantId: RawBuilder<string>) => sql<readonly ExamTaken[]>`(
  select coalesce(json_agg(json_build_object('category', lesson_type.category, 'license_class', exam.license_class,
    'date', to_char(exam.start_at, 'YYYY-MM-DD'), 'passed', (exam.exam_result ->> 'passed')::boolean)
    order by exam.start_at, exam.id), '[]')
  from appointments exam
  join lesson_types lesson_type on lesson_type.tenant_id = ${tenantId} and lesson_type.id = exam.lesson_type_id
  where exam.tenant_id = ${tenantId} and exam.student_id = students.id and exam.deleted_at is null
    and exam.status <> 'cancelled' and exam.exam_result is not null and lesson_type.category like '%exam')`

const candidates = jsonList(
  { ...BY_NAME, versionedBy: trainingVersion },
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) =>
    selectStudents(db, values).select([
      training(values.tenantId).as('training'),
      exams(values.tenantId).as('exams'),
      ofTemplate(values.tenantId, 'code').as('template_code'),
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

const selectTrainings = statement(
  (db, { tenantId, ids }: Parameters<{ tenantId: string; ids: readonly string[] }>) =>
    selectStudents(db, { tenantId })
      .clearSelect()
      .select(['id', training(tenantId).as('training')])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .compile(),
)

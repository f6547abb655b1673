import { type RawBuilder, sql } from 'kysely'
import type { LocalDate, LocalDateTime } from '../../domain/local-time.ts'
import type { LessonCount, Training } from '../../domain/progress.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
import { isOwn, sharedTypesOf } from '../appointments/own-lessons.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'
import {
  actualMinutes,
  byTraineeOf,
  chainsWith,
  countsByGearbox,
  gearboxOf,
  heldClasses,
  lessonMinutes,
  openingOf,
  requirementFields,
} from '../students/progress.ts'

type Enrolled = {
  readonly student_id: string
  readonly student: string
  readonly enrolment_id: string
  readonly license_class: string
}

export type IdleStudent = Enrolled & {
  readonly begins_on: LocalDate
  readonly last_lesson_on: LocalDate | null
}

type IdleQuery = {
  readonly tenantId: string
  readonly now: LocalDateTime
  /** The first and the last day on which a completed lesson keeps a student off the list. */
  readonly since: LocalDate
  readonly today: LocalDate
}

const current = (tenantId: RawBuilder<string>) => sql`enrolments enrolment
  join students on students.tenant_id = ${tenantId} and students.id = enrolment.student_id and students.deleted_at is null
    and students.archived_at is null
  where enrolment.tenant_id = ${tenantId} and enrolment.is_current and enrolment.outcome is null
    and enrolment.deleted_at is null`

const enrolled = sql`students.id as student_id, students.first_name || ' ' || students.last_name as student,
  enrolment.id as enrolment_id, enrolment.license_class`

/** Returns the students in training who have had no lesson since a day, and have none planned, the longest without one first. */
export function readIdleStudents(db: Database, question: IdleQuery): Promise<IdleStudent[]> {
  return selectIdle(db, question)
}

const selectIdle = statement((db, { tenantId, now, since, today }: Parameters<IdleQuery>) => {
  const student = sql`entry ->> 'student_id'`
  const isRecent = (isDone: RawBuilder<unknown>) => sql`tenant_id = ${tenantId} and deleted_at is null
    and (${isDone} and start_at >= ${since}::date and start_at < ${today}::date + 1
      or status = 'planned' and start_at >= ${now}::timestamp) and start_at >= ${since}::date`
  return sql<IdleStudent>`
    with busy as materialized (
      select student_id from appointments where ${isRecent(sql`status = 'completed'`)} and student_id is not null
      union select (${student})::uuid from appointments, jsonb_array_elements(attendees) entry
      where attendees <> '[]' and ${isRecent(sql`status = 'completed' and entry ->> 'attended' = 'true'`)})
    select ${enrolled}, enrolment.begins_on, (
        select to_char(max(lesson.start_at), 'YYYY-MM-DD') from ${lessonsOf(tenantId, sql`students.id`)} lesson
        where lesson.deleted_at is null and ${outcomeFor(sql`students.id`, 'lesson')} = 'completed') as last_lesson_on
    from ${current(tenantId)} and enrolment.begins_on <= ${since}::date
      and not exists (select from busy where busy.student_id = students.id)
    order by last_lesson_on nulls first, enrolment.begins_on, student, students.id`.compile(db)
})

/** Lessons of a student that are alike, of one day if days are asked for. */
type PlainLessons = Omit<LessonCount, 'requirement_key' | 'is_own' | 'license_class'> & {
  readonly date?: LocalDate
}
type DatedLessons = LessonCount & { readonly date?: LocalDate }
type NumberedRequirement = Training['requirements'][number] & {
  readonly code: string
  readonly category: string
}

/** A student in training who may be ready for the practical test, or has one planned, with the lessons that count. */
export type TestCandidate = Enrolled & {
  readonly begins_on: LocalDate
  readonly exam_on: LocalDate | null
  readonly training: Omit<Training, 'lessons' | 'requirements'> & {
    readonly requirements: readonly NumberedRequirement[]
    readonly lessons: readonly DatedLessons[]
  }
}

type CandidateQuery = {
  readonly tenantId: string
  readonly without_theory_test: readonly string[]
  readonly dated?: true | undefined
}

type TestCandidateRow = Omit<TestCandidate, 'training'> & {
  readonly training: Omit<TestCandidate['training'], 'lessons'>
  readonly lessons: readonly PlainLessons[]
  readonly types: Readonly<Record<string, TypeOfLesson>>
}

type TypeOfLesson = {
  readonly requirement_key: string | null
  readonly has_topics: boolean
  readonly counts_by_gearbox: boolean
}

/** Returns the students in training who have passed a theory test, need none, or have a practical test planned. */
export async function readCandidates(db: Database, question: CandidateQuery): Promise<TestCandidate[]> {
  const rows = await selectCandidates(db, question)
  return rows.map(({ training, lessons, types, ...row }) => ({
    ...row,
    training: {
      ...training,
      lessons: lessons.map((lesson) => describedBy(types[lesson.lesson_type_id], lesson)),
    },
  }))
}

function describedBy(type: TypeOfLesson | undefined, lesson: PlainLessons): DatedLessons {
  return {
    ...lesson,
    ...{ is_own: true, requirement_key: type?.requirement_key ?? null },
    topic: type?.has_topics ? (lesson.topic ?? null) : null,
    gearbox: type?.counts_by_gearbox ? (lesson.gearbox ?? null) : null,
  }
}

const selectCandidates = statement((db, question: Parameters<CandidateQuery>) => {
  const { tenantId, without_theory_test, dated } = question
  const exam = (isWanted: RawBuilder<unknown>, isTheory: boolean) => sql`appointments exam
    where exam.tenant_id = ${tenantId} and exam.student_id = students.id and exam.deleted_at is null and ${isWanted}
      and exam.lesson_type_id = any(array(select id from lesson_types where tenant_id = ${tenantId}
        and category like '%exam' and (category = 'theory_exam') = ${sql.lit(isTheory)}))`
  const isOfEnrolment = isOwn(tenantId, { lesson: 'exam', enrolment: 'enrolment', template: 'template' })
  const given = sql.ref('given_enrolment')
  const rows = { lesson: 'appointment', given, enrolment: 'enrolment', template: 'template' }
  return sql<TestCandidateRow>`
    with rules as materialized (
      select template.id, coalesce(bool_or(also is not null), false) as by_gearbox,
        coalesce(bool_or(not_by_trainee), false) as refuses_trainees,
        coalesce(bool_or(min_one_block_units is not null), false) as has_blocks, ${sharedTypesOf(tenantId, sql`template.id`)} as shared_types,
        coalesce(json_agg(json_build_object(${requirementFields(tenantId)}, 'is_theory', type.category = 'theory',
          'code', type.code, 'category', type.category) order by requirement.position)
          filter (where type.id is not null), '[]') as requirements, (
          select json_object_agg(id, json_build_object('requirement_key', requirement_key, 'has_topics', seats > 1,
            'counts_by_gearbox', ${countsByGearbox})) from lesson_types where tenant_id = ${tenantId}) as types
      from license_class_templates template
      left join template_requirements requirement on requirement.tenant_id = ${tenantId}
        and requirement.license_class_template_id = template.id
      left join lesson_types type on type.tenant_id = ${tenantId} and type.id = requirement.lesson_type_id
      where template.tenant_id = ${tenantId} and template.id in (
        select template_id from enrolments where tenant_id = ${tenantId} and is_current and outcome is null and deleted_at is null)
      group by template.id),
    enrolled as materialized (
      select ${enrolled}, enrolment.begins_on, enrolment.template_id, ${heldClasses(sql`enrolment.prior_classes`)} as prior_classes,
        ${openingOf(tenantId)} as opening, (
        select to_char(min(exam.start_at), 'YYYY-MM-DD') from ${exam(
          sql`exam.status = 'planned' and ${isOfEnrolment}`,
          false,
        )}) as exam_on, exists (
        select from ${exam(
          sql`exam.exam_result is not null and exam.status <> 'cancelled' and exam.exam_result ->> 'passed' = 'true'`,
          true,
        )}) as has_passed, template.code
      from license_class_templates template, ${current(tenantId)}
        and template.tenant_id = ${tenantId} and template.id = enrolment.template_id)
    select enrolled.student_id, student, enrolled.enrolment_id, enrolled.license_class, enrolled.begins_on, exam_on, types,
      json_build_object('template_id', enrolled.template_id, 'license_class', enrolled.license_class,
        'prior_classes', enrolled.prior_classes, 'requirements', rules.requirements, 'opening', opening) as training, (
      select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id, 'status', status, 'minutes', minutes,
        'actual_minutes', actual_minutes, 'topic', topic, 'gearbox', gearbox, 'by_trainee', by_trainee, 'count', count
        ${dated ? sql`, 'date', date` : sql``})), '[]')
      from (
        with lesson as (
          select lesson_type_id, true as is_own, ${outcomeFor(sql`enrolled.student_id`, 'appointment')} as status,
            ${lessonMinutes} as minutes, ${actualMinutes} as actual_minutes, topic,
            case when by_gearbox then ${gearboxOf(tenantId, 'appointment')} end as gearbox,
            refuses_trainees and ${byTraineeOf(tenantId, 'appointment')} as by_trainee, start_at::date as date,
            instructor_id, has_blocks, coalesce(actual_start_at, start_at) as since, coalesce(actual_end_at, end_at) as until
          from ${lessonsOf(tenantId, sql`enrolled.student_id`)} appointment
          where appointment.deleted_at is null and appointment.status in ('completed', 'planned')
            and ${isOwn(tenantId, { ...rows, sharedTypes: sql`shared_types` })})
        select lesson_type_id, is_own, status, minutes, actual_minutes, topic, gearbox, by_trainee, count(*) as count
          ${dated ? sql`, date` : sql``}
        from lesson group by 1, 2, 3, 4, 5, 6, 7, 8 ${dated ? sql`, date` : sql``}
        union all ${chainsWith(dated ? sql`, since::date` : sql``)}) alike) as lessons
    from enrolled join rules on rules.id = enrolled.template_id
    join enrolments enrolment on enrolment.tenant_id = ${tenantId} and enrolment.id = enrolled.enrolment_id
    join license_class_templates template on template.tenant_id = ${tenantId} and template.id = enrolled.template_id
    where exam_on is not null or has_passed or enrolled.code = any(${without_theory_test}::text[])
    order by student, enrolled.student_id`.compile(db)
})

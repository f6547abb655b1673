import { sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { DayRange } from '../../domain/numbers.ts'
import { isOwn } from '../appointments/own-lessons.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'

/** The result of a test in an enrolment. */
export type TakenTest = {
  readonly appointment_id: string
  readonly enrolment_id: string
  readonly student_id: string
  /** Null while only the training record of the student is kept. */
  readonly student: string | null
  readonly license_class: string
  readonly test: 'theory' | 'practical'
  readonly begins_on: LocalDate
  readonly date: LocalDate
  readonly passed: boolean
  /** Whether it is the first result of that test in the enrolment, and whether it is the first one passed. */
  readonly is_first: boolean
  readonly is_first_pass: boolean
  /** Whether the enrolment has units from another school. */
  readonly has_moved_in: boolean
}

/** Returns the results of tests in a range, by day. */
export function readTests(db: Database, tenantId: string, range: DayRange): Promise<TakenTest[]> {
  return selectTests(db, { tenantId, ...range })
}

const selectTests = statement((db, { tenantId, from, to }: Parameters<DayRange & { tenantId: string }>) =>
  sql<TakenTest>`
    select appointment_id, enrolment_id, student_id, student, license_class, test, begins_on, date, passed,
      attempt = 1 as is_first, passed and passes = 1 as is_first_pass, has_moved_in
    from (
      select exam.id as appointment_id, enrolment.id as enrolment_id, student.id as student_id, enrolment.license_class,
        case when student.restriction is null then student.first_name || ' ' || student.last_name end as student,
        case type.category when 'theory_exam' then 'theory' else 'practical' end as test, enrolment.begins_on,
        to_char(exam.start_at, 'YYYY-MM-DD') as date, (exam.exam_result ->> 'passed')::boolean as passed,
        row_number() over attempts as attempt,
        count(*) filter (where exam.exam_result ->> 'passed' = 'true') over attempts as passes,
        enrolment.is_current and student.opening_balance::text <> '[]' as has_moved_in
      from appointments exam
      join lesson_types type on type.tenant_id = ${tenantId} and type.id = exam.lesson_type_id
      join students student on student.tenant_id = ${tenantId} and student.id = exam.student_id
      join enrolments enrolment on enrolment.tenant_id = ${tenantId} and enrolment.student_id = exam.student_id
        and enrolment.deleted_at is null
      join license_class_templates template on template.tenant_id = ${tenantId} and template.id = enrolment.template_id
      where exam.tenant_id = ${tenantId} and exam.exam_result is not null and exam.deleted_at is null
        and exam.status <> 'cancelled' and type.category like '%exam'
        and ${isOwn(tenantId, { lesson: 'exam', enrolment: 'enrolment', template: 'template' })}
      window attempts as (partition by enrolment.id, type.category = 'theory_exam' order by exam.start_at, exam.id)) taken
    where date >= ${from}::text and date <= ${to}::text
    order by date, appointment_id, enrolment_id`.compile(db),
)

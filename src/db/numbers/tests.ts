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

/** The tests of a class, theory or practice, first attempts or others. */
export type TestSum = Pick<TakenTest, 'license_class' | 'test' | 'is_first'> & {
  readonly taken: number
  readonly passed: number
  /** The days from the beginning of the training to each first pass, without students who moved in. */
  readonly days: readonly number[]
}

type TestsQuery = DayRange & { readonly tenantId: string }

/** Returns the results of tests in a range, by day. */
export function readTests(db: Database, tenantId: string, range: DayRange): Promise<TakenTest[]> {
  return selectTests(db, { tenantId, ...range })
}

export function sumTests(db: Database, tenantId: string, range: DayRange): Promise<TestSum[]> {
  return selectTestSums(db, { tenantId, ...range })
}

// `offset 0` makes the planner look up the enrolments of a test one by one; otherwise it may join all tests with all classes.
const takenIn = ({ tenantId, from, to }: Parameters<TestsQuery>) => sql`(
    select *, attempt = 1 as is_first, passed and passes = 1 as is_first_pass
    from (
      select exam.id as appointment_id, enrolment.id as enrolment_id, student.id as student_id, enrolment.license_class,
        case when student.restriction is null then student.first_name || ' ' || student.last_name end as student,
        case when is_theory then 'theory' else 'practical' end as test, enrolment.begins_on, exam.start_at, passed,
        row_number() over attempts as attempt, count(*) filter (where passed) over attempts as passes,
        enrolment.has_moved_in
      from (
        select exam.id, student_id, start_at, enrolment_id, license_class, category = 'theory_exam' as is_theory,
          (exam_result ->> 'passed')::boolean as passed
        from appointments exam
        join lesson_types type on type.tenant_id = ${tenantId} and type.id = exam.lesson_type_id
        where exam.tenant_id = ${tenantId} and exam_result is not null and deleted_at is null
          and status <> 'cancelled' and category like '%exam'
        offset 0) exam
      join students student on student.tenant_id = ${tenantId} and student.id = exam.student_id
      cross join lateral (
        select enrolment.id, enrolment.license_class, enrolment.begins_on, enrolment.credits::text <> '[]' as has_moved_in
        from enrolments enrolment
        cross join lateral (select (
          select license_class from license_class_templates
          where tenant_id = ${tenantId} and id = enrolment.template_id) as license_class) template
        where enrolment.tenant_id = ${tenantId} and enrolment.student_id = exam.student_id and enrolment.deleted_at is null
          and ${isOwn(tenantId, { lesson: 'exam', enrolment: 'enrolment', template: 'template' })}
        offset 0) enrolment
      window attempts as (partition by enrolment.id, is_theory order by exam.start_at, exam.id)) judged
    where start_at >= ${from}::date and start_at < ${to}::date + 1) taken`

const selectTests = statement((db, question: Parameters<TestsQuery>) =>
  sql<TakenTest>`
    select appointment_id, enrolment_id, student_id, student, license_class, test, begins_on,
      to_char(start_at, 'YYYY-MM-DD') as date, passed, is_first, is_first_pass, has_moved_in
    from ${takenIn(question)}
    order by date, appointment_id, enrolment_id`.compile(db),
)

const selectTestSums = statement((db, question: Parameters<TestsQuery>) =>
  sql<TestSum>`
    select license_class, test, is_first, count(*)::integer as taken, (count(*) filter (where passed))::integer as passed,
      coalesce(array_agg(start_at::date - begins_on) filter (where is_first_pass and not has_moved_in), '{}') as days
    from ${takenIn(question)}
    group by 1, 2, 3`.compile(db),
)

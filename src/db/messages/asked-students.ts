import { sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { AskedStudent } from '../../domain/messages.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'

type AskedStudentsQuery = {
  readonly tenantId: string
  readonly week_start: LocalDate
  /** The students who have been asked, and the last one considered. */
  readonly asked: readonly string[]
  readonly after: string
  readonly limit: number
}

export type StudentToAsk = { readonly id: string; readonly has_wish: boolean }

export async function listStudentsToAsk(
  db: Database,
  question: AskedStudentsQuery,
): Promise<readonly StudentToAsk[]> {
  return selectStudentsToAsk(db, question)
}

const selectStudentsToAsk = statement((db, question: Parameters<AskedStudentsQuery>) => {
  const { tenantId, week_start, asked, after, limit } = question
  return sql<StudentToAsk>`
    select student.id, exists (
      select from wishes wish where wish.tenant_id = ${tenantId} and wish.student_id = student.id
        and wish.deleted_at is null and (until is null or until >= ${week_start}::date)) as has_wish
    from students student
    where student.tenant_id = ${tenantId} and student.deleted_at is null and archived_at is null and messages_consent
      and student.id > ${after}::uuid and student.id <> all(${asked}::uuid[])
      and exists (
        select from enrolments enrolment where enrolment.tenant_id = ${tenantId}
          and enrolment.student_id = student.id and ${isCurrent})
      and not exists (
        select from availability answer where answer.tenant_id = ${tenantId} and answer.student_id = student.id
          and answer.week_start = ${week_start}::date and answer.deleted_at is null)
    order by student.id limit ${limit}::integer`.compile(db)
})

const isCurrent = sql`enrolment.is_current and enrolment.outcome is null and enrolment.deleted_at is null`

type AskedStudentQuery = {
  readonly tenantId: string
  readonly student_id: string
  readonly week_start: LocalDate
}

export async function readAskedStudent(
  db: Database,
  asked: AskedStudentQuery,
): Promise<Omit<AskedStudent, 'has_page'>> {
  const [row] = await selectAskedStudent(db, asked)
  return row ?? { has_answered: false, is_enrolled: false }
}

const selectAskedStudent = statement(
  (db, { tenantId, student_id, week_start }: Parameters<AskedStudentQuery>) =>
    sql<Omit<AskedStudent, 'has_page'>>`
    select exists (
        select from availability answer where answer.tenant_id = ${tenantId}
          and answer.student_id = ${student_id}::uuid and answer.week_start = ${week_start}::date
          and answer.deleted_at is null) as has_answered,
      exists (
        select from enrolments enrolment where enrolment.tenant_id = ${tenantId}
          and enrolment.student_id = ${student_id}::uuid and ${isCurrent}) as is_enrolled`.compile(db),
)

import { sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { PlannedStudent } from '../../domain/plan-asks.ts'
import { isCountedRow } from '../appointments/appointment-conditions.ts'
import { lessonsOf } from '../appointments/attendees.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'

/** A student who may be planned, with the lessons around the planned days. Theory does not count. */
export type StudentToPlan = Omit<PlannedStudent, 'wishes' | 'availability'> & {
  readonly preferred_instructor_id: string | null
}

type PlannedStudentsQuery = {
  readonly tenantId: string
  readonly zone: string
  readonly from: LocalDate
  /** The Mondays of the first and after the last week. */
  readonly first: LocalDate
  readonly end: LocalDate
  readonly exams_until: LocalDate
  /** The students who are named; null selects all who have a wish or have answered for one of the weeks. */
  readonly ids: readonly string[] | null
  readonly limit: number
}

/** Lists the students to plan, by id. */
export async function listStudentsToPlan(
  db: Database,
  question: PlannedStudentsQuery,
): Promise<readonly StudentToPlan[]> {
  return selectStudents(db, question)
}

const selectStudents = statement((db, question: Parameters<PlannedStudentsQuery>) => {
  const { tenantId, zone, from, first, end, exams_until, ids, limit } = question
  return sql<StudentToPlan>`
    select student.id as student_id, preferred_instructor_id, lessons_per_week,
      coalesce(drives.last_on, to_char(student.created_at at time zone ${zone}::text, 'YYYY-MM-DD')) as since,
      coalesce(drives.has_exam, false) as has_exam,
      (select coalesce(json_object_agg(week, lessons), '{}') from (
        select to_char(date_trunc('week', start_at), 'YYYY-MM-DD') as week, count(*) as lessons
        from ${lessonsOf(tenantId, sql`student.id`)} lesson
        join lesson_types type on type.tenant_id = ${tenantId} and type.id = lesson.lesson_type_id
        where lesson.deleted_at is null and status in ('planned', 'completed') and category <> 'theory'
          and start_at >= ${first}::date and start_at < ${end}::date group by 1) weekly) as booked
    from students student
    left join lateral (
      select to_char(max(start_at) filter (where start_at < ${from}::date), 'YYYY-MM-DD') as last_on,
        bool_or(category = 'practical_exam' and status = 'planned'
          and start_at >= ${from}::date and start_at < ${exams_until}::date) as has_exam
      from ${lessonsOf(tenantId, sql`student.id`)} lesson
      join lesson_types type on type.tenant_id = ${tenantId} and type.id = lesson.lesson_type_id
      where lesson.deleted_at is null and status in ('planned', 'completed') and category <> 'theory') drives on true
    where student.tenant_id = ${tenantId} and student.deleted_at is null and student.archived_at is null
      and (student.id = any(${ids}::uuid[]) or ${ids}::uuid[] is null and (
        exists (select from wishes wish where wish.tenant_id = ${tenantId} and wish.student_id = student.id
          and wish.deleted_at is null and (until is null or until >= ${from}::date))
        or exists (select from availability answer where answer.tenant_id = ${tenantId}
          and answer.student_id = student.id and answer.deleted_at is null and week_start >= ${first}::date and week_start < ${end}::date)))
    order by student.id limit ${limit}::integer`.compile(db)
})

type PlacesQuery = {
  readonly from: LocalDate
  readonly to: LocalDate
  readonly homes: ReadonlyMap<string, string | null>
}

/** Returns the branch of each lesson around some days: its own, or that of the instructor. */
export async function readPlacesOfLessons(
  db: Database,
  tenantId: string,
  { from, to, homes }: PlacesQuery,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('appointments')
    .select(['id', 'instructor_id', 'location_id'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`${isCountedRow} and start_at >= ${from}::date - 1 and start_at < ${to}::date + 2`)
    .execute()
  return new Map(
    rows.flatMap(({ id, instructor_id, location_id }) => {
      const place = location_id ?? homes.get(instructor_id)
      return place ? [[id, place] as const] : []
    }),
  )
}

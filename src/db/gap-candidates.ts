import { type RawBuilder, sql } from 'kysely'
import type { WaitingStudent } from '../domain/gaps.ts'
import type { LocalDate, LocalDateTime } from '../domain/local-time.ts'
import { endsAfter, isCountedRow } from './appointment-conditions.ts'
import { isAttendedBy } from './attendees.ts'
import { type Parameters, statement } from './connection/statement.ts'
import { offersWithin } from './offers.ts'
import type { Database } from './schema/tables.ts'

export type GapCandidate = WaitingStudent & {
  readonly license_class: string | null
  readonly preferred_instructor_id: string | null
  /** The offers to the student within the last seven days. */
  readonly offers: number
}

type Question = {
  readonly tenantId: string
  readonly now: LocalDateTime
  readonly zone: string
  readonly today: LocalDate
  /** The gap to fill; weekday 1 is Monday. */
  readonly instructor_id: string
  readonly day: LocalDate
  readonly weekday: number
  readonly minutes: number
  /** A student without a wish is a candidate only if none of their lessons starts between these. */
  readonly from: LocalDateTime
  readonly to: LocalDateTime
  readonly classes: readonly string[]
  readonly after: string
  readonly limit: number
  readonly moment: Date
}

/** Lists a page of students, by id, with a wish that may fit, or with neither a valid wish nor a lesson around the time. */
export async function listGapCandidates(db: Database, question: Question): Promise<GapCandidate[]> {
  return selectCandidates(db, question)
}

const WALL_CLOCK = sql.lit('YYYY-MM-DD HH24:MI')

const selectCandidates = statement((db, question: Parameters<Question>) => {
  const { tenantId, now, zone, today, from, to, classes, after, limit, moment } = question
  const { instructor_id, day, weekday, minutes } = question
  const student = sql`waiting.id`
  const halves = [sql`student_id = ${student}`, isAttendedBy(student)]
  // `offset 0` keeps outer conditions from being pushed down, for which the planner would use an index without time order.
  const lessons = (half: RawBuilder<unknown>, time: RawBuilder<unknown>) => sql`(
    select * from appointments where tenant_id = ${tenantId} and ${half} and ${time}
    order by start_at desc offset 0) lesson where deleted_at is null and ${isCountedRow}`
  const hasBegun = sql`start_at <= ${now}::timestamp`
  const lastEnds = halves.map((half) => sql`(select end_at from ${lessons(half, hasBegun)} limit 1)`)
  const isAround = sql`${endsAfter(sql`${now}`)} and start_at > ${from}::timestamp and start_at < ${to}::timestamp`
  const isFree = halves.map((half) => sql`not exists (select from ${lessons(half, isAround)})`)
  const wishes = sql`wishes wish where wish.tenant_id = ${tenantId} and wish.student_id = student.id
    and wish.deleted_at is null`
  const fitting = sql`${wishes} and minutes <= ${minutes}::integer and (until is null or until >= ${day}::date)
    and (instructor_id is null or instructor_id = ${instructor_id}::uuid)
    and (weekdays is null or ${weekday}::integer = any(weekdays))`
  return sql<GapCandidate>`
    select id as student_id, license_class, preferred_instructor_id, coalesce(wishes, '[]') as wishes,
      ${offersWithin(tenantId, student, moment)} as offers,
      to_char(coalesce(
        greatest(${sql.join(lastEnds)}),
        created_at at time zone ${zone}::text), ${WALL_CLOCK}) as since
    from (
      select student.id, student.preferred_instructor_id, student.created_at, template.license_class, (
        select json_agg(json_build_object('id', wish.id, 'weekdays', weekdays, 'time_from', time_from, 'time_to', time_to,
          'minutes', minutes, 'lesson_type_id', lesson_type_id, 'instructor_id', instructor_id, 'until', until) order by wish.id)
        from ${fitting}) as wishes, exists (select from ${fitting}) as fits,
        exists (select from ${wishes} and (until is null or until >= ${today}::date)) as has_wish
      from students student
      left join license_class_templates template
        on template.tenant_id = ${tenantId} and template.id = student.license_class_template_id
      where student.tenant_id = ${tenantId} and student.deleted_at is null and student.id > ${after}::uuid
        and (template.license_class is null or template.license_class = any(${classes}::text[]))) waiting
    where fits or not has_wish and license_class is not null and ${sql.join(isFree, sql` and `)}
    order by id limit ${limit}::integer`.compile(db)
})

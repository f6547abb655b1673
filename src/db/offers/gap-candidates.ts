import { type RawBuilder, sql } from 'kysely'
import type { Gap, WaitingStudent } from '../../domain/gaps.ts'
import type { LocalDate, LocalDateTime } from '../../domain/local-time.ts'
import { endsAfter, isCountedRow } from '../appointments/appointment-conditions.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { INBOX_DAYS } from '../messages/inbox.ts'
import type { Database } from '../schema/tables.ts'
import { offersWithin } from './offers.ts'

export type GapCandidate = WaitingStudent & {
  readonly license_class: string | null
  readonly preferred_instructor_id: string | null
  /** The offers to the student within the last seven days. */
  readonly offers: number
}

type GapCandidatesQuery = {
  readonly tenantId: string
  readonly now: LocalDateTime
  readonly zone: string
  readonly today: LocalDate
  /** The gap to fill; weekday 1 is Monday. */
  readonly instructor_id: string
  readonly day: LocalDate
  /** The Monday of the gap's week. */
  readonly week_start: LocalDate
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
export async function listGapCandidates(db: Database, question: GapCandidatesQuery): Promise<GapCandidate[]> {
  return selectCandidates(db, question)
}

/** Returns the students who cannot come at a time: they cancelled a lesson at it, or moved one away on their page. */
export async function listStudentsGone(
  db: Database,
  tenantId: string,
  { start_at, end_at }: Pick<Gap, 'start_at' | 'end_at'>,
): Promise<ReadonlySet<string>> {
  const rows = await selectGone(db, { tenantId, start_at, end_at })
  return new Set(rows.map(({ student_id }) => student_id))
}

const selectGone = statement(
  (db, { tenantId, start_at, end_at }: Parameters<Pick<Gap, 'start_at' | 'end_at'> & { tenantId: string }>) =>
    sql<{ student_id: string }>`
      select student_id from appointments where tenant_id = ${tenantId} and deleted_at is null
        and status = 'cancelled' and cancellation ->> 'by' = 'student' and student_id is not null
        and start_at < ${end_at}::timestamp and ${endsAfter(sql`${start_at}`)}
      union select actor_id from changes where tenant_id = ${tenantId}
        and (actor_kind = 'student' or resource = 'schedule_request') and actor_kind = 'student'
        and at > now() - make_interval(days => ${sql.lit(INBOX_DAYS)}) and resource = 'appointment'
        and before ->> 'start_at' < ${end_at}::text and before ->> 'end_at' > ${start_at}::text
        and actor_id is not null`.compile(db),
)

const WALL_CLOCK = sql.lit('YYYY-MM-DD HH24:MI')

const selectCandidates = statement((db, question: Parameters<GapCandidatesQuery>) => {
  const { tenantId, now, zone, today, from, to, classes, after, limit, moment } = question
  const { instructor_id, day, weekday, week_start, minutes } = question
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
    and ("from" is null or "from" <= ${day}::date)
    and (instructor_id is null or instructor_id = ${instructor_id}::uuid)
    and (weekdays is null or ${weekday}::integer = any(weekdays))`
  // The answer of a student for the week stands in place of the wishes.
  const possible = sql`json_array_elements(answer.windows) possible (time)
    where time ->> 'date' = ${day}::text and (time ->> 'minutes')::integer <= ${minutes}::integer`
  const inWeek = sql`(select json_agg(json_build_object('id', null, 'weekdays', null, 'time_from', time ->> 'time_from',
    'time_to', time ->> 'time_to', 'minutes', (time ->> 'minutes')::integer, 'lesson_type_id', null, 'instructor_id', null,
    'from', null, 'until', null)) from ${possible})`
  return sql<GapCandidate>`
    select id as student_id, license_class, preferred_instructor_id, coalesce(wishes, '[]') as wishes,
      ${offersWithin(tenantId, student, moment)} as offers,
      to_char(coalesce(
        greatest(${sql.join(lastEnds)}),
        created_at at time zone ${zone}::text), ${WALL_CLOCK}) as since
    from (
      select student.id, student.preferred_instructor_id, student.created_at, template.license_class,
        case when answer.windows is not null then ${inWeek} else (select json_agg(json_build_object('id', wish.id, 'weekdays', weekdays, 'time_from', time_from, 'time_to', time_to,
          'minutes', minutes, 'lesson_type_id', lesson_type_id, 'instructor_id', instructor_id, 'from', "from", 'until', until) order by wish.id)
        from ${fitting}) end as wishes,
        case when answer.windows is not null then exists (select from ${possible}) else exists (select from ${fitting}) end as fits,
        answer.windows is not null or exists (select from ${wishes} and (until is null or until >= ${today}::date)) as has_wish
      from students student
      left join license_class_templates template
        on template.tenant_id = ${tenantId} and template.id = student.license_class_template_id
      left join availability answer on answer.tenant_id = ${tenantId} and answer.week_start = ${week_start}::date
        and answer.student_id = student.id and answer.deleted_at is null
      where student.tenant_id = ${tenantId} and student.deleted_at is null and student.archived_at is null and student.id > ${after}::uuid
        and coalesce(answer.lessons, 1) > 0
        and (template.license_class is null or template.license_class = any(${classes}::text[]))) waiting
    where fits or not has_wish and license_class is not null and ${sql.join(isFree, sql` and `)}
    order by id limit ${limit}::integer`.compile(db)
})

import { type RawBuilder, sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RetentionFacts, recentFrom } from '../../domain/retention.ts'
import { lessonsOf, outcomeFor, UNASSIGNED } from '../appointments/attendees.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database } from '../schema/tables.ts'

export type RetainedStudent = RetentionFacts & {
  readonly first_name: string
  readonly last_name: string
  readonly hold: (RetentionFacts['hold'] & { readonly reason: string }) | null
}

type FactsQuery = {
  readonly tenantId: string
  readonly timezone: string
  /** The first day of coming lessons. */
  readonly on: LocalDate
  readonly ids: readonly string[]
}

type CandidatesQuery = { readonly tenantId: string } & ReturnType<typeof recentFrom>

/** Returns all students whom a preview may list, and some more, by id. Deleted and restricted ones are among them. */
export async function readRetentionCandidates(db: Database, query: CandidatesQuery): Promise<string[]> {
  const [found] = await selectCandidates(db, query)
  return found?.ids?.split(',') ?? []
}

// `offset 0` makes the planner read groups by their index, and other lessons by student instead of those of all years.
const selectCandidates = statement((db, { tenantId, open_from, ended_from }: Parameters<CandidatesQuery>) => {
  const tenant = sql`${tenantId}::uuid`
  const isTaught = (student: RawBuilder<unknown>, since: RawBuilder<unknown>, isOwn = sql``) => sql`exists (
    select from appointments lesson where lesson.tenant_id = ${tenant} and lesson.student_id = ${student}
      and start_at >= ${since} and deleted_at is null and ${isInstruction(tenant, student)} ${isOwn} offset 0)`
  const isInGroup = (since: RawBuilder<unknown>) => sql`enrolment.id in (
    select (entry ->> 'enrolment_id')::uuid
    from (select * from appointments where tenant_id = ${tenant} and attendees <> '[]' and start_at >= ${since} offset 0) lesson,
      jsonb_array_elements(attendees) entry
    where deleted_at is null and entry ->> 'enrolment_id' is not null and ${isInstruction(tenant, sql`(entry ->> 'student_id')`)})`
  const byState = (build: (since: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql`case when outcome is null then ${build(sql`${open_from}::date`)} else ${build(sql`${ended_from}::date`)} end`
  const isOwn = sql`and (lesson.enrolment_id = enrolment.id
    or is_current and coalesce(lesson.enrolment_id, ${UNASSIGNED}) = ${UNASSIGNED})`
  return sql<{ ids: string | null }>`
    select string_agg(id::text, ',' order by id) as ids from (
    select student_id as id from enrolments enrolment where tenant_id = ${tenant} and deleted_at is null
      and not ${byState(isInGroup)} and not ${isTaught(
        sql.ref('enrolment.student_id'),
        byState((day) => day),
        isOwn,
      )}
    union select id from students student where tenant_id = ${tenant} and (
      hold_reason is not null or restriction is not null
      or not exists (select from enrolments where tenant_id = ${tenant} and student_id = student.id and deleted_at is null)
        and not ${isTaught(sql.ref('student.id'), sql`${ended_from}::date`)})) found`.compile(db)
})

/** Reads students by id, deleted and restricted ones too, with all that decides on their time. */
export const readRetentionFacts = statement((db, values: Parameters<FactsQuery>) =>
  selectFacts(values).compile(db),
)

function isInstruction(tenant: RawBuilder<unknown>, student: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${outcomeFor(student, 'lesson')} = 'completed'
    and lesson.lesson_type_id <> all(array(select type.id from lesson_types type
      where type.tenant_id = ${tenant} and type.category in ('practical_exam', 'theory_exam', 'internal')))`
}

function selectFacts({ tenantId, timezone, on, ids }: Parameters<FactsQuery>) {
  const tenant = sql`${tenantId}::uuid`
  const student = sql.ref('student.id')
  const day = (moment: RawBuilder<unknown>) => sql`to_char(${moment}, 'YYYY-MM-DD')`
  return sql<RetainedStudent>`
    select student.id, student.first_name, student.last_name, student.restriction is not null as restricted,
      case when hold_reason is not null then
        json_build_object('reason', hold_reason, 'until', hold_until) end as hold,
      (select min(entry ->> 'coming_on') from jsonb_array_elements(lessons.taught) entry) as coming_on,
      greatest(${day(sql`student.updated_at at time zone ${timezone}::text`)},
        (select max(entry ->> 'latest_on') from jsonb_array_elements(lessons.taught) entry)) as active_on,
      (select coalesce(json_agg(json_build_object('id', id, 'license_class', license_class, 'begins_on', begins_on,
          'ends_on', ends_on, 'is_open', outcome is null, 'is_current', is_current) order by ends_on, id), '[]')
        from enrolments where tenant_id = ${tenant} and student_id = student.id and deleted_at is null) as enrolments,
      lessons.taught
    from (select * from students where tenant_id = ${tenant} and id = any(${ids}::uuid[])) student
    cross join lateral (select coalesce(jsonb_agg(taught), '[]') as taught from (
      select lesson.given_enrolment as enrolment_id, ${day(sql`max(lesson.start_at) filter (where ${isInstruction(tenant, student)})`)} as last_on,
        ${day(sql`max(lesson.start_at)`)} as latest_on,
        ${day(sql`min(lesson.start_at) filter (where lesson.status = 'planned' and lesson.start_at >= ${on}::date)`)} as coming_on
      from ${lessonsOf(tenant, student)} lesson
      where lesson.deleted_at is null group by lesson.given_enrolment) taught) lessons
    order by student.id`
}

export type RetainedCounts = Readonly<Record<string, number>>

/** Counts the rows of students by resource, deleted rows too. */
export async function countRowsOf(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RetainedCounts>> {
  const counts = new Map<string, Record<string, number>>(ids.map((id) => [id, {}]))
  const [counted, messages] = await Promise.all([
    selectCounts(db, { tenantId, ids }),
    selectMessages(db, { tenantId, ids }),
  ])
  for (const { id, resource, count } of [...counted, ...messages])
    Object.assign(counts.get(id) ?? {}, { [resource]: count })
  return counts
}

type CountedRows = { readonly id: string; readonly resource: string; readonly count: number }

const selectCounts = statement((db, { tenantId, ids }: Parameters<Pick<FactsQuery, 'tenantId' | 'ids'>>) => {
  const lessons = lessonsOf(sql`${tenantId}::uuid`, sql.ref('student.id'))
  const counted = Object.entries(COUNTED).map(
    ([resource, table]) => sql`
    union all select student_id, ${sql.lit(resource)}, count(*)::integer from ${sql.table(table)}
    where tenant_id = ${tenantId} and student_id = any(${ids}::uuid[]) group by 1`,
  )
  return sql<CountedRows>`
    select student.id, 'appointment' as resource, count(*)::integer as count
    from unnest(${ids}::uuid[]) student (id) cross join lateral ${lessons} lesson group by 1
    ${sql.join(counted, sql``)}`.compile(db)
})

// Apart from the others, because a Citus cluster keeps this table on another node: a join would fetch all rows to it.
const selectMessages = statement((db, { tenantId, ids }: Parameters<Pick<FactsQuery, 'tenantId' | 'ids'>>) =>
  sql<CountedRows>`
    select student_id as id, 'message' as resource, count(*)::integer as count from messages
    where tenant_id = ${tenantId} and student_id = any(${ids}::uuid[]) group by 1`.compile(db),
)

const COUNTED = {
  enrolment: 'enrolments',
  tick: 'ticks',
  signature: 'signatures',
  wish: 'wishes',
  availability: 'availability',
}

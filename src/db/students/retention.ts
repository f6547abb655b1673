import { type RawBuilder, sql } from 'kysely'
import type { LocalDate } from '../../domain/local-time.ts'
import type { RetentionFacts } from '../../domain/retention.ts'
import { lessonsOf, outcomeFor } from '../appointments/attendees.ts'
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
}

/** Reads a page of students by id, deleted and restricted ones too, with all that decides on their time. */
export const readRetentionPage = statement(
  (db, values: Parameters<FactsQuery & { readonly after?: string; readonly limit: number }>) => {
    const rest = values.after ? sql`and id > ${values.after}::uuid` : sql``
    return selectFacts(values, sql`${rest} order by id limit ${values.limit}::integer`).compile(db)
  },
)

const readOne = statement((db, values: Parameters<FactsQuery & { readonly id: string }>) =>
  selectFacts(values, sql`and id = ${values.id}::uuid`).compile(db),
)

export async function readRetentionFacts(
  db: Database,
  values: FactsQuery & { readonly id: string },
): Promise<RetainedStudent | undefined> {
  const [facts] = await readOne(db, values)
  return facts
}

function selectFacts({ tenantId, timezone, on }: Parameters<FactsQuery>, those: RawBuilder<unknown>) {
  const tenant = sql`${tenantId}::uuid`
  const student = sql.ref('student.id')
  const day = (moment: RawBuilder<unknown>) => sql`to_char(${moment}, 'YYYY-MM-DD')`
  const isInstruction = sql`${outcomeFor(student, 'lesson')} = 'completed'
    and lesson.lesson_type_id <> all(array(select type.id from lesson_types type
      where type.tenant_id = ${tenant} and type.category in ('practical_exam', 'theory_exam', 'internal')))`
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
    from (select * from students where tenant_id = ${tenant} ${those}) student
    cross join lateral (select coalesce(jsonb_agg(taught), '[]') as taught from (
      select lesson.given_enrolment as enrolment_id, ${day(sql`max(lesson.start_at) filter (where ${isInstruction})`)} as last_on,
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
  const those = sql`unnest(${ids}::uuid[]) student (id)`
  const lessons = lessonsOf(sql`${tenantId}::uuid`, sql.ref('student.id'))
  const counted = [
    [
      'appointment',
      sql`select student.id, count(*) from ${those} cross join lateral ${lessons} lesson group by student.id`,
    ],
    ...COUNTED.map(
      ([resource, table]) =>
        [
          resource,
          sql`select student_id as id, count(*) from ${sql.table(table)}
            where tenant_id = ${tenantId} and student_id = any(${ids}::uuid[]) group by student_id`,
        ] as const,
    ),
  ] as const
  for (const [resource, query] of counted) {
    const { rows } = await sql<{ id: string; count: string }>`${query}`.execute(db)
    for (const { id, count } of rows) Object.assign(counts.get(id) ?? {}, { [resource]: Number(count) })
  }
  return counts
}

const COUNTED = [
  ['enrolment', 'enrolments'],
  ['tick', 'ticks'],
  ['signature', 'signatures'],
  ['wish', 'wishes'],
  ['message', 'messages'],
] as const

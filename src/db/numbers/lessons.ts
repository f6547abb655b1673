import { type RawBuilder, sql } from 'kysely'
import type { DayRange } from '../../domain/numbers.ts'
import type { ClockChange } from '../../domain/time-zone.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { actualEndAt, actualStartAt, endAt, startAt } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

/** The kinds of lessons that numbers count. A cancellation without a party, as older ones are, is the school's. */
export const MISSED_KINDS = ['no_show', 'cancelled_late', 'cancelled_in_time', 'by_school'] as const
export type MissedKind = (typeof MISSED_KINDS)[number]
export type LessonKind = 'completed' | MissedKind

const kindOf = sql<LessonKind | null>`case status when 'completed' then 'completed' when 'no_show' then 'no_show'
  when 'cancelled' then case when cancellation ->> 'by' is distinct from 'student' then 'by_school'
    when cancellation ->> 'is_late' = 'true' then 'cancelled_late' else 'cancelled_in_time' end end`

const startedAt = sql`coalesce(actual_start_at, start_at)`
const endedAt = sql`coalesce(actual_end_at, end_at)`

/** Whether a lesson lies in the days, by its actual start if known. The bounds of the planned one use its index. */
const isIn = ({ from, to }: Parameters<DayRange>) => sql<boolean>`start_at >= ${from}::date - 1
  and start_at < ${to}::date + 2 and ${startedAt} >= ${from}::date and ${startedAt} < ${to}::date + 1`

export type WeekSum = {
  readonly instructor_id: string
  readonly week_start: string
  readonly minutes: number
}
export type TypeSum = { readonly lesson_type_id: string; readonly count: number; readonly minutes: number }
export type KindCount = { readonly kind: MissedKind; readonly count: number }

type Sums = {
  readonly weeks: readonly WeekSum[]
  readonly types: readonly TypeSum[]
  readonly missed: readonly KindCount[]
}

/**
 * Sums up the completed lessons of a range by instructor and week and by type, and counts the missed ones by kind. Minutes are
 * those of the wall clock less the changes of the clocks within a lesson, like `actualMinutesOf` in the domain.
 */
export async function sumLessons(
  db: Database,
  tenantId: string,
  range: DayRange,
  changes: readonly ClockChange[],
): Promise<Sums> {
  const [sums, missed, ...shifts] = await Promise.all([
    selectSums(db, { tenantId, ...range }),
    selectMissed(db, { tenantId, ...range }),
    ...changes.map((change) => selectShifts(db, { tenantId, ...range, ...change })),
  ])
  const all = [...sums, ...shifts.flat()]
  return {
    weeks: all.filter((one): one is Sum & WeekSum => one.instructor_id !== null),
    types: all.filter((one): one is Sum & TypeSum => one.lesson_type_id !== null),
    missed,
  }
}

type Sum = { readonly [Name in keyof (WeekSum & TypeSum)]: (WeekSum & TypeSum)[Name] | null }

const ofSchool = ({ tenantId, ...range }: Parameters<DayRange & { tenantId: string }>) => sql`appointments
  where tenant_id = ${tenantId} and deleted_at is null and ${isIn(range)}`

const sumsOf = (fine: RawBuilder<unknown>) => sql<Sum>`
  with fine as (${fine})
  select instructor_id, to_char(date '2001-01-01' + 7 * week, 'YYYY-MM-DD') as week_start, lesson_type_id,
    sum(count)::integer as count, sum(minutes)::integer as minutes
  from fine group by grouping sets ((instructor_id, week), (lesson_type_id))`

const week = sql`(${startedAt}::date - date '2001-01-01') / 7 as week`

// A sum of intervals takes half the time of a sum of numbers, and two sums of each row twice that of a sum of sums.
const selectSums = statement((db, values: Parameters<DayRange & { tenantId: string }>) =>
  sumsOf(sql`select instructor_id, ${week}, lesson_type_id, count(*) as count, date_part('epoch', sum(
      case when actual_start_at is null then end_at - start_at else actual_end_at - actual_start_at end)) / 60 as minutes
    from ${ofSchool(values)} and status = 'completed' group by 1, 2, 3`).compile(db),
)

/** Selects the shifts of the few lessons that begin before a change of the clocks and end at or after it. */
const selectShifts = statement(
  (db, { at, minutes, ...values }: Parameters<DayRange & ClockChange & { tenantId: string }>) =>
    sumsOf(sql`select instructor_id, ${week}, lesson_type_id, 0 as count, -${minutes}::integer as minutes
      from ${ofSchool(values)} and status = 'completed' and start_at >= ${at}::timestamp - interval '2 days'
        and start_at < ${at}::timestamp + interval '2 days'
        and ${startedAt} < ${at}::timestamp and ${endedAt} >= ${at}::timestamp`).compile(db),
)

const selectMissed = statement((db, values: Parameters<DayRange & { tenantId: string }>) =>
  sql<KindCount>`
    select ${kindOf} as kind, count(*)::integer as count
    from ${ofSchool(values)} and status in ('no_show', 'cancelled') group by 1`.compile(db),
)

export type LessonFilter = DayRange & {
  /** Whether to list completed lessons, or those that were missed or cancelled. */
  readonly done?: true
  readonly instructor_id?: string
  readonly lesson_type_id?: string
  readonly kind?: MissedKind
}

const nameOf = (table: 'instructors' | 'students', tenantId: RawBuilder<string>, isShown = sql`true`) =>
  sql<string | null>`(select person.first_name || ' ' || person.last_name from ${sql.table(table)} person
    where person.tenant_id = ${tenantId} and person.id = ${sql.ref(`appointments.${table.slice(0, -1)}_id`)} and ${isShown})`

/** Lists the lessons behind a number, by planned start. */
export function listLessons(db: Database, tenantId: string, filter: LessonFilter): JsonList {
  return lessons(db, tenantId, filter)
}

const lessons = jsonList(
  {
    from: 'appointments',
    orderedBy: { start_at: 'timestamp', id: 'uuid' },
    versionedBy: ({ tenantId }) => sql<string>`concat_ws(' ', appointments.version,
      (select version from students where tenant_id = ${tenantId} and id = appointments.student_id),
      (select version from instructors where tenant_id = ${tenantId} and id = appointments.instructor_id),
      (select updated_at from lesson_types where tenant_id = ${tenantId} and id = appointments.lesson_type_id))`,
  },
  (db, { tenantId, from, to, ...filter }: Parameters<LessonFilter & { tenantId: string }>) => {
    const { done, instructor_id, lesson_type_id, kind } = filter
    return db
      .selectFrom('appointments')
      .select(['id', 'instructor_id', 'student_id', 'lesson_type_id', 'status'])
      .select([startAt, endAt, actualStartAt, actualEndAt, 'cancellation', kindOf.as('kind')])
      .select([
        nameOf('instructors', tenantId).as('instructor'),
        nameOf('students', tenantId, sql`person.restriction is null`).as('student'),
        sql<string>`(select name from lesson_types type where type.tenant_id = ${tenantId}
          and type.id = appointments.lesson_type_id)`.as('lesson_type'),
      ])
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .where(isIn({ from, to }))
      .where(done ? sql<boolean>`status = 'completed'` : sql<boolean>`status in ('no_show', 'cancelled')`)
      .$if(instructor_id !== undefined, (rest) =>
        rest.where(sql<boolean>`instructor_id = ${instructor_id}::uuid`),
      )
      .$if(lesson_type_id !== undefined, (rest) =>
        rest.where(sql<boolean>`lesson_type_id = ${lesson_type_id}::uuid`),
      )
      .$if(kind !== undefined, (rest) => rest.where(sql<boolean>`${kindOf} = ${kind}`))
  },
)

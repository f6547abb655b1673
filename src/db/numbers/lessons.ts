import { type RawBuilder, sql } from 'kysely'
import { type Day, dayOf, daysLater, type LocalDateTime, mondayOf } from '../../domain/local-time.ts'
import { DAYS_PER_WEEK, type DayRange } from '../../domain/numbers.ts'
import type { ClockChange } from '../../domain/time-zone.ts'
import type { DatabasePool } from '../connection/pool.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { inSnapshot } from '../connection/transaction.ts'
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

/** Whether a lesson lies in the days, by its actual start if known. PostgreSQL expects half of the rows after `coalesce`, and hashes them. */
const isIn = ({ from, to }: Parameters<DayRange>) => sql<boolean>`start_at >= ${from}::date - 1
  and start_at < ${to}::date + 2 and coalesce(actual_start_at >= ${from}::date, start_at >= ${from}::date)
  and coalesce(actual_start_at < ${to}::date + 1, start_at < ${to}::date + 1)`

export type TypeSum = { readonly lesson_type_id: string; readonly count: number; readonly minutes: number }
export type KindCount = { readonly kind: MissedKind; readonly count: number }

/** The minutes worked by instructor and by the Monday of the week. */
export type WorkedMinutes = ReadonlyMap<string, ReadonlyMap<Day, number>>

type Sums = {
  readonly worked: WorkedMinutes
  readonly types: readonly TypeSum[]
  readonly missed: readonly KindCount[]
}

/**
 * Sums up the completed lessons of a range by instructor and week and by type, and counts the missed ones by kind. Minutes are
 * those of the wall clock less the changes of the clocks within a lesson, like `actualMinutesOf` in the domain.
 */
export async function sumLessons(
  database: DatabasePool,
  tenantId: string,
  range: DayRange,
  changes: readonly ClockChange[],
): Promise<Sums> {
  const ats = changes.map(({ at }) => at)
  const shifts = changes.map(({ minutes }) => minutes)
  // A lesson may move from one part to another meanwhile.
  const [missed, parts] = await Promise.all([
    selectMissed(database, { tenantId, ...range }),
    inSnapshot(database, (db) =>
      Promise.all(partsOf(range).map((part) => selectSums(db, { tenantId, ...part, ats, shifts }))),
    ),
  ])
  const sums = parts.flat()
  const types = Map.groupBy(sums.filter(isOfType), ({ lesson_type_id }) => lesson_type_id)
  return { worked: workedIn(sums), types: [...types.values()].map(sumOfType), missed }
}

/** Halves a range: the sums of a year block the process for as long as they take if the database is embedded. */
function partsOf({ from, to }: DayRange): readonly DayRange[] {
  const days = dayOf(to) - dayOf(from)
  if (days < MAX_DAYS_OF_PART) return [{ from, to }]
  const middle = mondayOf(daysLater(from, Math.floor(days / 2)))
  return [
    { from, to: daysLater(middle, -1) },
    { from: middle, to },
  ]
}

const MAX_DAYS_OF_PART = 190

type Sum = {
  readonly instructor_id: string | null
  readonly lesson_type_id: string | null
  readonly count: number
  readonly minutes: number
  /** The numbers of weeks since `FIRST_MONDAY` with their minutes. */
  readonly weeks: string
}

const FIRST_MONDAY = '1900-01-01'

function isOfType(sum: Sum): sum is Sum & TypeSum {
  return sum.lesson_type_id !== null
}

function sumOfType(sums: readonly TypeSum[]): TypeSum {
  const sum = (name: 'count' | 'minutes') => sums.reduce((total, one) => total + one[name], 0)
  return { lesson_type_id: sums[0]?.lesson_type_id ?? '', count: sum('count'), minutes: sum('minutes') }
}

function workedIn(sums: readonly Sum[]): WorkedMinutes {
  const worked = new Map<string, Map<Day, number>>()
  for (const { instructor_id, weeks } of sums) {
    if (instructor_id === null) continue
    const own = worked.get(instructor_id) ?? new Map<Day, number>()
    worked.set(instructor_id, own)
    for (const line of weeks.split(',')) {
      const [week, minutes] = line.split(' ').map(Number)
      const monday = dayOf(FIRST_MONDAY) + (week ?? 0) * DAYS_PER_WEEK
      own.set(monday, (own.get(monday) ?? 0) + (minutes ?? 0))
    }
  }
  return worked
}

const ofSchool = ({ tenantId, ...range }: Parameters<DayRange & { tenantId: string }>) => sql`appointments
  where tenant_id = ${tenantId} and deleted_at is null and ${isIn(range)}`

const sumsOf = (minutes: RawBuilder<unknown>, count: RawBuilder<unknown>, rows: RawBuilder<unknown>) => sql`
  select instructor_id, week, lesson_type_id, ${minutes}::integer as minutes, ${count} as count
  from (select *, (${startedAt}::date - ${sql.lit(FIRST_MONDAY)}::date) / 7 as week from ${rows}) lesson
  group by grouping sets ((instructor_id, week), (lesson_type_id))`

type SumsQuery = DayRange & {
  readonly tenantId: string
  readonly ats: readonly LocalDateTime[]
  readonly shifts: readonly number[]
}

const selectSums = statement((db, { ats, shifts, ...values }: Parameters<SumsQuery>) => {
  const completed = sql`${ofSchool(values)} and status = 'completed'`
  const elapsed = sql`(date_part('epoch', sum(
    case when actual_start_at is null then end_at - start_at else actual_end_at - actual_start_at end)) / 60)`
  const shifted = sql`unnest(${ats}::timestamp[], ${shifts}::integer[]) change (at, shift) cross join lateral (
    select * from ${completed} and start_at >= at - interval '2 days' and start_at < at + interval '2 days'
      and ${startedAt} < at and ${endedAt} >= at offset 0) moved`
  return sql<Sum>`
    select instructor_id, lesson_type_id, sum(count)::integer as count, sum(minutes)::integer as minutes,
      string_agg(concat_ws(' ', week, minutes), ',') as weeks
    from (${sumsOf(elapsed, sql`count(*)`, completed)} union all ${sumsOf(sql`-sum(shift)`, sql`0`, shifted)}) sums
    group by 1, 2`.compile(db)
})

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

import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { BusyCalendar } from '../../contract/busy-calendar.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { lockCalendars } from '../calendars/calendar-locks.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { utc, utcText } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const state = sql<BusyCalendar['state']>`case when failing_since is not null then 'failing'
  when last_read_at is not null then 'ok' else 'waiting' end`

const columns = [
  'id',
  'name',
  'host as url',
  state.as('state'),
  sql<string | null>`${utc('last_read_at')}`.as('last_read_at'),
  'failure',
] as const

type OfInstructor = { readonly tenantId: string; readonly instructor_id: string }

export const listBusyCalendars = jsonList(
  {
    from: 'busy_calendars',
    orderedBy: { created_at: 'timestamptz', id: 'uuid' },
    versionedBy: sql`concat_ws(' ', last_read_at, failing_since, failure)`,
  },
  (db, { tenantId, instructor_id }: Parameters<OfInstructor>) =>
    db
      .selectFrom('busy_calendars')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`instructor_id = ${instructor_id}::uuid`),
)

export async function countBusyCalendars(
  db: Database,
  { tenantId, instructor_id }: OfInstructor,
): Promise<number> {
  const { count } = await db
    .selectFrom('busy_calendars')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', tenantId)
    .where('instructor_id', '=', instructor_id)
    .executeTakeFirstOrThrow()
  return count
}

export type NewBusyCalendarRow = {
  readonly id: string
  readonly instructor_id: string
  readonly name: string
  readonly host: string
  readonly sealed: Buffer
}

/** Inserts a calendar that is due at once. The log has its host only: the address is a secret. */
export async function insertBusyCalendar(
  db: Transaction,
  actor: Actor,
  { id, instructor_id, name, host, sealed }: NewBusyCalendarRow,
): Promise<BusyCalendar> {
  const logged = { id, instructor_id, name, url: host }
  await recordChanges(db, actor, [changeEntryFor('busy_calendar', undefined, logged)])
  return db
    .insertInto('busy_calendars')
    .values({ tenant_id: actor.tenant.id, id, instructor_id, name, host, address: sealed })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Deletes a calendar and its times. Returns false if the instructor has none with that id. */
export async function deleteBusyCalendarRow(
  db: Transaction,
  actor: Actor,
  { instructor_id, id }: { readonly instructor_id: string; readonly id: string },
): Promise<boolean> {
  const tenantId = actor.tenant.id
  const deleted = await db
    .deleteFrom('busy_calendars')
    .where('tenant_id', '=', tenantId)
    .where('instructor_id', '=', instructor_id)
    .where('id', '=', id)
    .returning(['name', 'host'])
    .executeTakeFirst()
  if (!deleted) return false
  const logged = { id, instructor_id, name: deleted.name, url: deleted.host }
  await recordChanges(db, actor, [changeEntryFor('busy_calendar', logged, { ...logged, deleted: true })])
  await lockCalendars(db, tenantId, [instructor_id])
  await db
    .deleteFrom('busy_times')
    .where('tenant_id', '=', tenantId)
    .where('instructor_id', '=', instructor_id)
    .where('calendar_id', '=', id)
    .execute()
  return true
}

const troubledSince = sql<Date>`coalesce(troubled_since, failing_since)`

export type FailingCalendar = Pick<BusyCalendar, 'id' | 'name'> & {
  readonly instructor_id: string
  readonly troubled_since: string
  readonly failure: NonNullable<BusyCalendar['failure']>
}

/** Returns the calendars that cannot be read and whose trouble began less than some days ago, the latest first. */
export async function listFailingCalendars(
  db: Database,
  tenantId: string,
  days: number,
): Promise<readonly FailingCalendar[]> {
  return db
    .selectFrom('busy_calendars')
    .select(['id', 'name', 'instructor_id'])
    .select([
      sql<string>`${utcText(troubledSince)}`.as('troubled_since'),
      sql<FailingCalendar['failure']>`failure`.as('failure'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('failing_since', 'is not', null)
    .where(sql<boolean>`${troubledSince} > now() - make_interval(days => ${days})`)
    .orderBy(troubledSince, 'desc')
    .execute()
}

export type WatchedInstructor = { readonly instructor_id: string; readonly is_failing: boolean }

export async function listWatchedInstructors(
  db: Database,
  tenantId: string,
  own?: string,
): Promise<readonly WatchedInstructor[]> {
  let query = db
    .selectFrom('busy_calendars')
    .select(['instructor_id', sql<boolean>`bool_or(failing_since is not null)`.as('is_failing')])
    .where('tenant_id', '=', tenantId)
  if (own !== undefined) query = query.where('instructor_id', '=', own)
  return query.groupBy('instructor_id').orderBy('instructor_id').execute()
}

export type BusyLine = {
  readonly instructor_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

/** Returns the busy times of some instructors that touch a range. Those of two calendars may overlap. */
export async function listBusyTimes(
  db: Database,
  tenantId: string,
  { ids, from, to }: { readonly ids: readonly string[]; readonly from: string; readonly to: string },
): Promise<readonly BusyLine[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BusyLine>`
    select instructor_id, to_char(lower(time), 'YYYY-MM-DD HH24:MI') as start_at,
      to_char(upper(time), 'YYYY-MM-DD HH24:MI') as end_at
    from busy_times, unnest(times) as time
    where tenant_id = ${tenantId} and instructor_id = any(${ids}::uuid[])
      and time && tsrange(${from}::timestamp, ${to}::timestamp)
    order by instructor_id, time`.execute(db)
  return rows
}

import { type RawBuilder, sql } from 'kysely'
import type { BusyFailure } from '../../domain/busy-policy.ts'
import { lockCalendars, lockManyCalendars } from '../calendars/calendar-locks.ts'
import { type Claim, type ClaimOptions, claimNext, isClaimed } from '../claim-order.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type ClaimedCalendar = Claim & {
  readonly instructor_id: string
  readonly host: string
  readonly address: Buffer
  readonly read_for: string | null
  readonly etag: string | null
  readonly last_modified: string | null
  readonly digest: Buffer | null
  readonly failures: number
  readonly receiver: string
}

export function claimBusyCalendar(db: Database, options: ClaimOptions): Promise<ClaimedCalendar | undefined> {
  const outbox = {
    table: 'busy_calendars',
    due: 'next_read_at',
    receiver: sql<string>`host`,
    isOpen: sql<boolean>`true`,
    set: sql`turn = turn + 1`,
    columns: sql`turn, instructor_id, host, address, read_for, etag, last_modified, digest, failures`,
  } as const
  return claimNext(db, outbox, options)
}

const nextTurn = sql<number>`turn + 1`

/** Extends a claim by some seconds. Returns false if it was lost. */
export async function renewBusyClaim(db: Database, claim: BusyClaim, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('busy_calendars')
    .set({ next_read_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where(isClaimed(claim))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export type BusyClaim = Claim & Pick<ClaimedCalendar, 'instructor_id'>

async function holdsClaim(db: Transaction, claim: BusyClaim): Promise<boolean> {
  const held = await db
    .selectFrom('busy_calendars')
    .select('id')
    .where(isClaimed(claim))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return held !== undefined
}

export type CalendarReading = Pick<ClaimedCalendar, 'read_for' | 'etag' | 'last_modified'> & {
  readonly digest: Buffer | null
  /** The busy times as a `tsmultirange`; undefined if they are as they were. */
  readonly times?: string | undefined
  readonly seconds: number
}

/** Stores what was read and ends the claim. Returns false if the claim was lost. */
export async function storeReading(
  db: Transaction,
  claim: BusyClaim,
  { times, seconds, ...reading }: CalendarReading,
): Promise<boolean> {
  if (!(await holdsClaim(db, claim))) return false
  if (times) await storeTimes(db, claim, times)
  await db
    .updateTable('busy_calendars')
    .set({
      ...reading,
      last_read_at: sql<Date>`now()`,
      well_since: sql<Date>`case when failing_since is null then well_since else now() end`,
      failing_since: null,
      failure: null,
      failures: 0,
      turn: nextTurn,
      next_read_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .where(isClaimed(claim))
    .execute()
  return true
}

/** A failure after fewer good hours than these belongs to the trouble before it, which the office has been told of. */
const WELL_HOURS = 24

type Failed = { readonly failure: BusyFailure; readonly seconds: number; readonly keptDays: number }

/** Records a failure and ends the claim. Times that were read longer ago than `keptDays` are deleted. */
export async function storeFailure(
  db: Transaction,
  claim: BusyClaim,
  { failure, seconds, keptDays }: Failed,
): Promise<boolean> {
  if (!(await holdsClaim(db, claim))) return false
  const { rows } = await sql<{ is_over: boolean }>`
    update busy_calendars set failure = ${failure}, failing_since = coalesce(failing_since, now()),
      troubled_since = case when failing_since is not null or well_since > now() - make_interval(hours => ${WELL_HOURS})
        then coalesce(troubled_since, failing_since, now()) else now() end,
      failures = failures + 1, turn = ${nextTurn}, next_read_at = now() + make_interval(secs => ${seconds})
    where ${isClaimed(claim)}
    returning coalesce(last_read_at <= now() - make_interval(days => ${keptDays}), false) as is_over`.execute(
    db,
  )
  if (!rows[0]?.is_over) return true
  await storeTimes(db, claim, '{}')
  await db
    .updateTable('busy_calendars')
    .set({ read_for: null, etag: null, last_modified: null, digest: null })
    .where('tenant_id', '=', claim.tenant_id)
    .where('id', '=', claim.id)
    .execute()
  return true
}

/** Stores the times under the lock of the instructor's calendar, so that a booking decided on others is decided again. */
async function storeTimes(
  db: Transaction,
  { tenant_id, id, instructor_id }: BusyClaim,
  times: string,
): Promise<void> {
  const { rows } = await sql`
    select from busy_times where tenant_id = ${tenant_id} and instructor_id = ${instructor_id}
      and calendar_id = ${id} and times = ${times}::tsmultirange`.execute(db)
  if (rows.length > 0) return
  await lockCalendars(db, tenant_id, [instructor_id])
  await db
    .insertInto('busy_times')
    .values({ tenant_id, instructor_id, calendar_id: id, times })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'instructor_id', 'calendar_id']).doUpdateSet({ times }),
    )
    .execute()
}

/** Moves the busy times of a school to the wall clock of another zone. All calendars become due, because whole days do not move. */
export async function moveBusyTimes(
  db: Transaction,
  tenantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const calendars = await db
    .updateTable('busy_calendars')
    .set({ turn: nextTurn, next_read_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .returning('instructor_id')
    .execute()
  const instructors = [...new Set(calendars.map(({ instructor_id }) => instructor_id))]
  await lockManyCalendars(db, tenantId, instructors)
  const moved = (bound: RawBuilder<unknown>) => sql`(${bound} at time zone ${from}) at time zone ${to}`
  await sql`update busy_times set times = (
      select coalesce(range_agg(tsrange(${moved(sql`lower(time)`)}, ${moved(sql`upper(time)`)})), '{}')
      from unnest(times) as time)
    where tenant_id = ${tenantId}`.execute(db)
}

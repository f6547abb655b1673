import { sql } from 'kysely'
import type { RoundOfWeek } from '../../contract/availability-round.ts'
import { newId } from '../../contract/new-id.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type DueRound, nextRound, roundOf } from '../../domain/availability-round.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { type Clock, databaseClock } from '../now.ts'
import { utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

type Change = { readonly stored: Tenant; readonly next: Tenant; readonly now: Date }

/** Replaces a locked school's next round if its settings have changed. One in progress ends first. */
export async function scheduleRound(db: Transaction, { stored, next, now }: Change): Promise<void> {
  const [before, after] = [roundOf(stored), roundOf(next)]
  if (before?.weekday === after?.weekday && before?.time === after?.time && isDueAlike(stored, next, now))
    return
  await db
    .deleteFrom('availability_rounds')
    .where('tenant_id', '=', next.id)
    .where('state', '=', 'waiting')
    .execute()
  await addNextRound(db, next, now)
}

/** Whether quiet hours leave a school's next round at its time. */
function isDueAlike(stored: Tenant, next: Tenant, now: Date): boolean {
  const [before, after] = [stored, next].map((tenant) => {
    const round = roundOf(tenant)
    const { timezone, messages } = tenant
    return round && nextRound(round, { timezone, quiet: messages.quiet, after: now }).due_at.getTime()
  })
  return before === after
}

/** Adds a locked school's next round after a moment, if it asks at all and no round is open. */
export async function addNextRound(db: Transaction, tenant: Tenant, after: Date): Promise<void> {
  const round = roundOf(tenant)
  if (!round) return
  const { timezone, messages } = tenant
  const { asked } = await db
    .selectFrom('availability_rounds')
    .select(sql<LocalDate | null>`to_char(max(week_start), 'YYYY-MM-DD')`.as('asked'))
    .where('tenant_id', '=', tenant.id)
    .where('state', '<>', 'waiting')
    .executeTakeFirstOrThrow()
  const due = nextRound(round, { timezone, quiet: messages.quiet, after, ...(asked && { asked }) })
  await db
    .insertInto('availability_rounds')
    .values({ tenant_id: tenant.id, id: newId(), ...due })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function tenantsWithDueRounds(
  db: Database,
  clock: Clock = databaseClock,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('availability_rounds')
    .select('tenant_id')
    .where('finished_at', 'is', null)
    .where('due_at', '<=', clock())
    .execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

export type OpenRound = DueRound & { readonly id: string; readonly student_ids: readonly string[] }

/** Locks and returns a school's due round; undefined if there is none. Lock the school first. */
export async function lockDueRound(
  db: Transaction,
  tenantId: string,
  now: Date,
): Promise<OpenRound | undefined> {
  return db
    .selectFrom('availability_rounds')
    .select(['id', 'week_start', 'due_at', 'student_ids'])
    .where('tenant_id', '=', tenantId)
    .where('finished_at', 'is', null)
    .where('due_at', '<=', now)
    .forUpdate()
    .executeTakeFirst()
}

export async function addAsked(
  db: Transaction,
  tenantId: string,
  { id }: OpenRound,
  studentIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('availability_rounds')
    .set({ state: 'asking', student_ids: sql<string[]>`student_ids || ${studentIds}::uuid[]` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function finishRound(
  db: Transaction,
  tenantId: string,
  { id }: OpenRound,
  { state, now }: { readonly state: 'asked' | 'skipped'; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('availability_rounds')
    .set({ state, finished_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Returns the round of a week, with how many of its students have answered; undefined if there is none. */
export async function findRound(
  db: Database,
  tenantId: string,
  week_start: LocalDate,
): Promise<RoundOfWeek | undefined> {
  const row = await db
    .selectFrom('availability_rounds')
    .select([utc('due_at').as('due_at'), 'state', 'student_ids'])
    .where('tenant_id', '=', tenantId)
    .where('week_start', '=', week_start)
    .executeTakeFirst()
  if (!row) return undefined
  const { student_ids, ...round } = row
  // A separate query: in a cluster, answers are on another node.
  const { answered } = await db
    .selectFrom('availability')
    .select(sql<number>`count(*)::integer`.as('answered'))
    .where('tenant_id', '=', tenantId)
    .where('week_start', '=', week_start)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`student_id = any(${student_ids}::uuid[])`)
    .executeTakeFirstOrThrow()
  return { ...round, asked: student_ids.length, answered }
}

export async function removeFromRounds(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  await sql`update availability_rounds set student_ids = array_remove(student_ids, ${studentId}::uuid)
    where tenant_id = ${tenantId} and ${studentId}::uuid = any(student_ids)`.execute(db)
}

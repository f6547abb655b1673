import { sql } from 'kysely'
import { ClosureSchema } from '../../contract/closure.ts'
import type { Closure } from '../../domain/agenda.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { resourceRows } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { lockTenant } from './tenants.ts'

export const CLOSURES = resourceRows({
  table: 'closures',
  resource: 'closure',
  schema: ClosureSchema,
  texts: ['note'],
  hasHistory: true,
})

export const listClosures = jsonList(
  { from: 'closures', orderedBy: { start_date: 'timestamp', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('closures')
      .select(columnsOf(ClosureSchema))
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null),
)

/** Returns the closures that touch the days from `from` to `to`. */
export async function readClosures(
  db: Database,
  tenantId: string,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<Closure[]> {
  return db
    .selectFrom('closures')
    .select(['start_date', 'end_date', 'note'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('start_date', '<=', to)
    .where('end_date', '>=', from)
    .execute()
}

/** Locks the school against new instructors and returns the ids of all, whose calendars a closure has to lock. */
export async function lockSchool(db: Transaction, tenantId: string): Promise<readonly string[]> {
  await lockTenant(db, tenantId)
  const rows = await db
    .selectFrom('calendars')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'instructor')
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks the school against new instructors and increments all instructors' calendars, so that bookings are decided again. */
export async function lockInstructorCalendars(db: Transaction, tenantId: string): Promise<void> {
  await lockTenant(db, tenantId)
  await sql`
    with held as (
      select id from calendars where tenant_id = ${tenantId} and kind = 'instructor'
      order by id for no key update)
    update calendars set version = version + 1 from held
    where tenant_id = ${tenantId} and calendars.id = held.id`.execute(db)
}

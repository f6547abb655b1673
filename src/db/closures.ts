import { sql } from 'kysely'
import { ClosureSchema } from '../contract/closure.ts'
import type { Parameters } from './connection/statement.ts'
import { jsonList } from './json-list.ts'
import { columnsOf } from './schema/columns.ts'
import type { Transaction } from './schema/tables.ts'
import { lockTenant } from './tenants.ts'

export const CLOSURES = { table: 'closures', resource: 'closure', schema: ClosureSchema } as const

export const listClosures = jsonList(
  { from: 'closures', orderedBy: { start_date: 'timestamp', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('closures')
      .select(columnsOf(ClosureSchema))
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null),
)

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

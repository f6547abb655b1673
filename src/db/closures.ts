import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import { type Closure, ClosureSchema, type NewClosure } from '../contract/closure.ts'
import type { Parameters } from './connection/statement.ts'
import { jsonList } from './json-list.ts'
import { insertRow, updateRow } from './resource-rows.ts'
import { columnsOf } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'
import { lockTenant } from './tenants.ts'

const closureColumns = columnsOf(ClosureSchema)

export const listClosures = jsonList(
  { from: 'closures', orderedBy: { start_date: 'timestamp', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('closures')
      .select(closureColumns)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null),
)

export async function findClosure(db: Database, tenantId: string, id: string): Promise<Closure | undefined> {
  return db
    .selectFrom('closures')
    .select(closureColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export type StoredClosure = Closure & { readonly deleted: boolean }

export async function lockClosures(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly StoredClosure[]> {
  return db
    .selectFrom('closures')
    .select([...closureColumns, sql<boolean>`deleted_at is not null`.as('deleted')])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

const ROWS = { table: 'closures', resource: 'closure' } as const

export async function insertClosure(
  db: Transaction,
  actor: Actor,
  closure: Required<NewClosure> & { readonly id: string },
): Promise<Closure> {
  await insertRow(db, actor, ROWS, closure)
  return db
    .selectFrom('closures')
    .select(closureColumns)
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', closure.id)
    .executeTakeFirstOrThrow()
}

export async function setClosureDeleted(
  db: Transaction,
  actor: Actor,
  stored: StoredClosure,
  deleted: boolean,
): Promise<void> {
  await updateRow(db, actor, ROWS, { stored, next: { ...stored, deleted } })
}

/**
 * Increments all instructors' calendars, so that bookings are decided again. Locks the school's row first, or a new
 * instructor would be left out.
 */
export async function lockInstructorCalendars(db: Transaction, tenantId: string): Promise<void> {
  await lockTenant(db, tenantId)
  await sql`
    with held as (
      select id from calendars where tenant_id = ${tenantId} and kind = 'instructor'
      order by id for no key update)
    update calendars set version = version + 1 from held
    where tenant_id = ${tenantId} and calendars.id = held.id`.execute(db)
}

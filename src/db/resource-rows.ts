import { sql } from 'kysely'
import type { Static, TObject, TProperties } from 'typebox'
import type { Actor } from '../contract/actor.ts'
import type { Resource } from '../contract/change.ts'
import { changedFields, changeEntryFor, type Row, recordChanges } from './log/changes.ts'
import { columnsOf, nextVersion, selectionOf } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'

/** A table whose columns are named like the fields of its resource, with its JSON columns. */
export type ResourceRows<Properties extends TProperties> = {
  readonly table: 'closures' | 'locations' | 'schedule_requests' | 'vehicles' | 'wishes'
  readonly resource: Resource
  readonly schema: TObject<Properties>
  readonly json?: readonly string[]
}

type One<Properties extends TProperties> = Static<TObject<Properties>>

export type StoredRow<Resource> = Resource & { readonly deleted: boolean }

/** Returns a row; undefined if it is deleted. */
export async function findRow<Properties extends TProperties>(
  db: Database,
  tenantId: string,
  { table, schema }: ResourceRows<Properties>,
  id: string,
): Promise<One<Properties> | undefined> {
  const { rows } = await sql<One<Properties>>`
    select ${selectionOf(columnsOf(schema))} from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

export async function lockRows<Properties extends TProperties>(
  db: Transaction,
  tenantId: string,
  { table, schema }: ResourceRows<Properties>,
  ids: readonly string[],
): Promise<readonly StoredRow<One<Properties>>[]> {
  const { rows } = await sql<StoredRow<One<Properties>>>`
    select ${selectionOf(columnsOf(schema))}, deleted_at is not null as deleted from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(db)
  return rows
}

export async function insertRow<Properties extends TProperties>(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows<Properties>,
  row: Omit<One<Properties>, 'version' | 'created_at' | 'updated_at'> & Row,
): Promise<One<Properties>> {
  const values = { ...storable(rows.json, row), tenant_id: actor.tenant.id }
  await db
    .insertInto(rows.table)
    .values(values as never)
    .execute()
  await recordChanges(db, actor, [changeEntryFor(rows.resource, undefined, row)])
  return requireRow(db, actor.tenant.id, rows, row.id)
}

/** Updates, deletes or restores a locked row and records the change, if any. Returns the stored row. */
export async function updateRow<Properties extends TProperties>(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows<Properties>,
  { stored, next }: { readonly stored: Row; readonly next: Row },
): Promise<One<Properties>> {
  const changed = changedFields(stored, next)
  const isToggled = stored.deleted !== next.deleted
  if (changed || isToggled) {
    const values = {
      ...storable(rows.json, changed ?? {}),
      ...(isToggled && { deleted_at: next.deleted ? actor.now : null }),
      ...nextVersion,
    }
    await db
      .updateTable(rows.table)
      .set(values as never)
      .where('tenant_id', '=', actor.tenant.id)
      .where('id', '=', stored.id)
      .execute()
    await recordChanges(db, actor, [changeEntryFor(rows.resource, stored, next)])
  }
  return requireRow(db, actor.tenant.id, rows, stored.id)
}

async function requireRow<Properties extends TProperties>(
  db: Transaction,
  tenantId: string,
  { table, schema }: ResourceRows<Properties>,
  id: string,
): Promise<One<Properties>> {
  const { rows } = await sql<One<Properties>>`
    select ${selectionOf(columnsOf(schema))} from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no ${table} row`)
  return row
}

function storable(json: readonly string[] = [], fields: Readonly<Record<string, unknown>>) {
  const given = json.filter((name) => fields[name] !== undefined && fields[name] !== null)
  return { ...fields, ...Object.fromEntries(given.map((name) => [name, JSON.stringify(fields[name])])) }
}

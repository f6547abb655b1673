import { sql } from 'kysely'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Actor } from '../contract/actor.ts'
import type { Resource } from '../contract/change.ts'
import { changedFields, changeEntryFor, type Row, recordChanges } from './log/changes.ts'
import { columnsOf, nextVersion, selectionOf } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'

/** A resource whose table has the columns of its schema; `texts` and those in lists may name a person. */
export type ResourceRows<One = unknown> = {
  readonly table:
    | 'availability'
    | 'closures'
    | 'enrolments'
    | 'locations'
    | 'schedule_requests'
    | 'ticks'
    | 'vehicles'
    | 'wishes'
  readonly resource: Resource
  readonly schema: TObject
  readonly change?: TObject
  /** The tables to which columns refer. */
  readonly references?: Readonly<Record<string, string>>
  readonly texts?: readonly string[]
  readonly listedTexts?: Readonly<Record<string, string>>
  readonly isPermanent?: true
  /** Whether it has a history, and so a log from its first row. */
  readonly hasHistory?: true
  /** Whether a migration has made rows that the log knows only from their first change. */
  readonly startsUnlogged?: true
  readonly one?: One
}

export function resourceRows<Properties extends TProperties>(
  rows: Omit<ResourceRows, 'schema' | 'one'> & { readonly schema: TObject<Properties> },
): ResourceRows<Static<TObject<Properties>>> {
  return rows
}

export type StoredRow<Resource> = Resource & { readonly deleted: boolean }

/** Returns a row; undefined if it is deleted. */
export async function findRow<One>(
  db: Database,
  tenantId: string,
  { table, schema }: ResourceRows<One>,
  id: string,
): Promise<One | undefined> {
  const { rows } = await sql<One>`
    select ${selectionOf(columnsOf(schema))} from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

export async function countRows(db: Transaction, tenantId: string, { table }: ResourceRows): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where tenant_id = ${tenantId} and deleted_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

export async function lockRows<One>(
  db: Transaction,
  tenantId: string,
  { table, schema }: ResourceRows<One>,
  ids: readonly string[],
): Promise<readonly StoredRow<One>[]> {
  const { rows } = await sql<StoredRow<One>>`
    select ${selectionOf(columnsOf(schema))}, deleted_at is not null as deleted from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(db)
  return rows
}

export async function insertRow<One>(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows<One>,
  row: Omit<One, 'version' | 'created_at' | 'updated_at'> & Row,
): Promise<One> {
  const values = { ...storable(rows.schema, row), tenant_id: actor.tenant.id }
  await db
    .insertInto(rows.table)
    .values(values as never)
    .execute()
  await recordChanges(db, actor, [changeEntryFor(rows.resource, undefined, row)])
  return requireRow(db, actor.tenant.id, rows, row.id)
}

/** Updates, deletes or restores a locked row and records the change, if any. Returns the stored row. */
export async function updateRow<One>(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows<One>,
  { stored, next }: { readonly stored: Row; readonly next: Row },
): Promise<One> {
  const changed = changedFields(stored, next)
  const isToggled = stored.deleted !== next.deleted
  if (changed || isToggled) {
    const values = {
      ...storable(rows.schema, changed ?? {}),
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

async function requireRow<One>(
  db: Transaction,
  tenantId: string,
  { table, schema }: ResourceRows<One>,
  id: string,
): Promise<One> {
  const { rows } = await sql<One>`
    select ${selectionOf(columnsOf(schema))} from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no ${table} row`)
  return row
}

/** Returns the values of fields that nobody gave: null, an empty list or an empty object, by the schema. */
export function blankOf({ schema }: ResourceRows): Readonly<Record<string, unknown>> {
  const entries = Object.entries(schema.properties).flatMap(([name, property]) => {
    const { type } = property as Shape
    if (Array.isArray(type)) return [[name, null]]
    if (type === 'array') return [[name, []]]
    return type === 'object' ? [[name, {}]] : []
  })
  return Object.fromEntries(entries)
}

function storable({ properties }: TObject, fields: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(fields).map(([name, value]) => {
    const isText = isJson(properties[name]) && value !== undefined && value !== null
    return [name, isText ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(entries)
}

type Shape = { readonly type?: unknown; readonly items?: Shape }

function isJson(schema: TSchema | undefined): boolean {
  const { type, items } = (schema ?? {}) as Shape
  return type === 'object' || (items !== undefined && ('$ref' in items || items.type === 'object'))
}

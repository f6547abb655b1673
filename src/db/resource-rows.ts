import type { Actor } from '../contract/actor.ts'
import type { Resource } from '../contract/change.ts'
import { changedFields, changeEntryFor, type Row, recordChanges } from './log/changes.ts'
import { nextVersion } from './schema/columns.ts'
import type { Transaction } from './schema/tables.ts'

/** A table of resources that are stored as they are sent, and its columns of JSON. */
export type ResourceRows = {
  readonly table: 'closures' | 'locations' | 'schedule_requests' | 'vehicles' | 'wishes'
  readonly resource: Resource
  readonly json?: readonly string[]
}

export async function insertRow(db: Transaction, actor: Actor, rows: ResourceRows, row: Row): Promise<void> {
  const values = { ...storable(rows, row), tenant_id: actor.tenant.id }
  await db
    .insertInto(rows.table)
    .values(values as never)
    .execute()
  await recordChanges(db, actor, [changeEntryFor(rows.resource, undefined, row)])
}

/** Writes the next values of a locked row, or its deletion, and records the change, if there is one. */
export async function updateRow(
  db: Transaction,
  actor: Actor,
  rows: ResourceRows,
  { stored, next }: { readonly stored: Row; readonly next: Row },
): Promise<void> {
  const changed = changedFields(stored, next)
  const isToggled = stored.deleted !== next.deleted
  if (!changed && !isToggled) return
  const values = {
    ...storable(rows, changed ?? {}),
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

function storable({ json = [] }: ResourceRows, fields: Readonly<Record<string, unknown>>) {
  const given = json.filter((name) => fields[name] !== undefined && fields[name] !== null)
  return { ...fields, ...Object.fromEntries(given.map((name) => [name, JSON.stringify(fields[name])])) }
}

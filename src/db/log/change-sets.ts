import { sql } from 'kysely'
import type { Change, Resource } from '../../contract/change.ts'
import type { Database } from '../schema/tables.ts'

export type SetChange = Pick<Change, 'resource' | 'resource_id' | 'action' | 'before' | 'after'>

export async function listChangesOfSet(
  db: Database,
  tenantId: string,
  { set_id, hidden }: { readonly set_id: string; readonly hidden?: Resource },
): Promise<SetChange[]> {
  const { rows } = await sql<SetChange>`
    select resource, resource_id, action, before, after from changes
    where tenant_id = ${tenantId} and set_id = ${set_id} and resource is distinct from ${hidden ?? null}
    order by at, id`.execute(db)
  return rows
}

export async function isSetUndone(db: Database, tenantId: string, set_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from changes where tenant_id = ${tenantId} and undoes = ${set_id} limit 1`.execute(db)
  return rows.length > 0
}

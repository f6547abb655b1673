import { sql } from 'kysely'
import type { Change, Resource } from '../../contract/change.ts'
import type { Database } from '../schema/tables.ts'

export type SetChange = Pick<Change, 'resource' | 'resource_id' | 'action' | 'before' | 'after'>

type ChangeOfSet = SetChange & { readonly actor_id: string | null }

export async function listChangesOfSet(
  db: Database,
  tenantId: string,
  { set_id, hidden }: { readonly set_id: string; readonly hidden?: Resource },
): Promise<ChangeOfSet[]> {
  const { rows } = await sql<ChangeOfSet>`
    select resource, resource_id, action, before, after, actor_id from changes
    where tenant_id = ${tenantId} and set_id = ${set_id} and resource is distinct from ${hidden ?? null}
    order by at, id`.execute(db)
  return rows
}

/** Returns the changes of resources since they had these versions, in order, by resource. */
export async function listChangesSince(
  db: Database,
  tenantId: string,
  seen: readonly { readonly resource: Resource; readonly id: string; readonly version: number }[],
): Promise<ReadonlyMap<string, readonly SetChange[]>> {
  const ids = seen.map(({ id }) => id)
  const resources = seen.map(({ resource }) => resource)
  const versions = seen.map(({ version }) => version)
  const { rows } = await sql<SetChange>`
    select change.resource, change.resource_id, change.action, change.before, change.after
    from unnest(${resources}::text[], ${ids}::uuid[], ${versions}::int[]) as seen (resource, id, version)
      join changes change on change.tenant_id = ${tenantId} and change.resource_id = seen.id and change.resource = seen.resource
        and ${versionBefore} >= seen.version
    order by ${versionBefore}`.execute(db)
  return Map.groupBy(rows, ({ resource_id }) => resource_id)
}

const versionBefore = sql`coalesce((change.before ->> 'version')::int, (change.after ->> 'version')::int - 1)`

export async function isSetUndone(db: Database, tenantId: string, set_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from changes where tenant_id = ${tenantId} and undoes = ${set_id} limit 1`.execute(db)
  return rows.length > 0
}

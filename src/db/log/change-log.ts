import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../../contract/change.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { HISTORIC_TABLES } from '../resources.ts'
import { utc } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

/** The criteria of a list; `from` and `to` are days in the school's time zone, both inclusive. */
export type ChangeFilter = {
  readonly resource?: Resource | undefined
  readonly hidden?: Resource | undefined
  readonly resource_id?: string | undefined
  readonly actor_id?: string | undefined
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
}

export const changeColumns = [
  'id',
  utc('at').as('at'),
  sql`json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)`.as('actor'),
  'resource',
  'resource_id',
  'action',
  'set_id',
  'undoes',
  'before',
  'after',
] as const

export function listChanges(
  db: Database,
  tenant: { readonly id: string; readonly timezone: string },
  filter: ChangeFilter,
): JsonList {
  return changes(db, tenant.id, { ...filter, zone: tenant.timezone })
}

const NEWEST_FIRST = {
  from: 'changes',
  orderedBy: { at: 'timestamptz', id: 'uuid' },
  isNewestFirst: true,
  versionedBy: 'transaction',
} as const

const changes = jsonList(
  NEWEST_FIRST,
  (db, values: Parameters<ChangeFilter & { tenantId: string; zone: string }>) => {
    const { tenantId, zone, resource, hidden, resource_id, actor_id, from, to } = values
    return db
      .selectFrom('changes')
      .select(changeColumns)
      .where('tenant_id', '=', tenantId)
      .$if(resource !== undefined, (rest) => rest.where(commonly('resource', resource)))
      .$if(hidden !== undefined, (rest) => rest.where(sql<boolean>`resource <> ${hidden}`))
      .$if(resource_id !== undefined, (rest) => rest.where(sql<boolean>`resource_id = ${resource_id}`))
      .$if(actor_id !== undefined, (rest) => rest.where(commonly('actor_id', actor_id)))
      .$if(from !== undefined, (rest) =>
        rest.where(sql<boolean>`at >= ${from}::timestamp at time zone ${zone}`),
      )
      .$if(to !== undefined, (rest) =>
        rest.where(sql<boolean>`at < (${to}::timestamp + interval '1 day') at time zone ${zone}`),
      )
  },
)

/** Hides a frequent value from the planner, which would assume that it is rare and sort the whole log. */
function commonly(column: 'resource' | 'actor_id', value: RawBuilder<string | undefined> | undefined) {
  return sql<boolean>`coalesce(${sql.ref(column)} = ${value}, false)`
}

const HISTORIC: ReadonlyMap<Resource, ReturnType<typeof knownStatement>> = new Map(
  HISTORIC_TABLES.map(([resource, table]) => [resource, knownStatement(resource, table)]),
)

export async function isInLog(
  db: Database,
  tenantId: string,
  { resource, id }: { readonly resource: Resource; readonly id: string },
): Promise<boolean> {
  const rows = await HISTORIC.get(resource)?.(db, { tenantId, id })
  return rows?.[0]?.is_known === true
}

function knownStatement(resource: Resource, table: string) {
  return statement((db, { tenantId, id }: Parameters<{ tenantId: string; id: string }>) =>
    sql<{ is_known: boolean }>`
      select exists (select from ${sql.table(table)} where tenant_id = ${tenantId} and id = ${id})
        or exists (select from changes
          where tenant_id = ${tenantId} and resource_id = ${id} and resource = ${sql.lit(resource)}) as is_known`.compile(
      db,
    ),
  )
}

import { sql } from 'kysely'
import type { Change } from '../contract/change.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Report } from './finding.ts'
import { faultIn } from './replay.ts'
import { REPLAYED_RESOURCES, storedStates, unloggedIds } from './stored-states.ts'

const PAGE_SIZE = 2_000

type Row = Pick<Change, 'resource' | 'resource_id' | 'action' | 'before' | 'after'> & {
  readonly id: string
  readonly at: string
}

type Position = Pick<Row, 'resource_id' | 'at' | 'id'>

/** Replays a school's log and reports faults and differences from stored rows. `onRead` receives the number of changes read. */
export async function checkHistory(
  db: Database,
  tenantId: string,
  { report, onRead }: { readonly report: Report; readonly onRead: (changes: number) => void },
): Promise<void> {
  for (const resource of REPLAYED_RESOURCES)
    for (const resource_id of await unloggedIds(db, tenantId, resource))
      report(tenantId, { resource, resource_id, code: 'history_missing' })
  let after: Position | undefined
  // The history of a page's last resource may continue on the next page.
  let begun: readonly Row[] = []
  for (let isMore = true; isMore; ) {
    const page = await changesAfter(db, tenantId, after)
    onRead(page.length)
    isMore = page.length === PAGE_SIZE
    after = page.at(-1)
    const histories = Map.groupBy([...begun, ...page], ({ resource_id }) => resource_id)
    begun = (isMore && histories.get(after?.resource_id ?? '')) || []
    if (isMore) histories.delete(after?.resource_id ?? '')
    await checkHistories(db, tenantId, { histories: [...histories.values()], report })
  }
}

async function checkHistories(
  db: Database,
  tenantId: string,
  { histories, report }: { readonly histories: readonly (readonly Row[])[]; readonly report: Report },
): Promise<void> {
  for (const resource of REPLAYED_RESOURCES) {
    const logged = histories.filter(([first]) => first?.resource === resource)
    const ids = logged.flatMap(([first]) => first?.resource_id ?? [])
    const stored = await storedStates(db, tenantId, { resource, ids })
    for (const history of logged) {
      const resource_id = history[0]?.resource_id ?? ''
      const fault = faultIn(history, stored.get(resource_id))
      if (fault) report(tenantId, { resource, resource_id, ...fault })
    }
  }
}

async function changesAfter(
  db: Database,
  tenantId: string,
  after: Position | undefined,
): Promise<readonly Row[]> {
  const from = after
    ? sql`(resource_id, at, id) > (${after.resource_id}::uuid, ${after.at}::timestamptz, ${after.id}::uuid)`
    : sql`true`
  const { rows } = await sql<Row>`
    select id, changes.at::text as at, resource, resource_id, action, before, after from changes
    where tenant_id = ${tenantId} and ${from} order by resource_id, changes.at, id limit ${sql.lit(PAGE_SIZE)}`.execute(
    db,
  )
  return rows
}

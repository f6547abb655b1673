import { type RawBuilder, sql } from 'kysely'
import { isSpread, isSpreadTable } from '../db/citus.ts'
import type { DatabasePool } from '../db/pool.ts'
import type { Database } from '../db/tables.ts'
import { inSnapshot } from '../db/transaction.ts'
import type { Tell } from './finding.ts'
import { unlessUnreadable } from './unreadable.ts'

type Index = {
  readonly name: string
  readonly table: string
  readonly keys: readonly string[]
  readonly predicate: string | null
  readonly is_gist: boolean
}

/** Which ways of reading a table PostgreSQL may take. */
const BY_TABLE = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan']
const BY_INDEX = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort']

/**
 * Counts the rows of each table once as they lie there, and once by each index: rows that only one of the two finds are lost
 * to some requests, or stand in two places.
 */
export async function checkIndexes(database: DatabasePool, tell: Tell): Promise<void> {
  const areSpread = await isSpread(database)
  for (const index of await inSnapshot(database, validIndexes)) {
    // Its rows, and the indexes that lead to them, are on the workers.
    if (areSpread && isSpreadTable(index.table)) continue
    const { name: resource_id, table } = index
    const what = { resource: 'index', resource_id }
    await unlessUnreadable(
      (fact) => tell(null, fact),
      what,
      async () => {
        const { by_table, by_index } = await countsOf(database, index)
        if (by_index === undefined) tell(null, { ...what, code: 'index_not_examined', params: { table } })
        else if (by_table !== by_index)
          tell(null, { ...what, code: 'index_differs', params: { table, by_table, by_index } })
      },
    )
  }
}

async function validIndexes(db: Database): Promise<readonly Index[]> {
  const { rows } = await sql<Index>`
    select indexrelid::regclass::text as name, indrelid::regclass::text as "table", amname = 'gist' as is_gist,
      array(select pg_get_indexdef(indexrelid, number, true) from generate_series(1, indnkeyatts) number) as keys,
      pg_get_expr(indpred, indrelid) as predicate
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where relnamespace = 'public'::regnamespace and indisvalid order by 2, 1`.execute(db)
  return rows
}

/** Both counts are of one state. The one by index is missing where PostgreSQL would not count by it. */
async function countsOf(database: DatabasePool, index: Index) {
  return inSnapshot(database, async (db) => {
    const rows = rowsOf(index)
    await switchAll(db, BY_INDEX, 'off')
    const by_index = (await isReadBy(db, rows, index)) ? await count(db, rows, 'by_index') : undefined
    await switchAll(db, BY_INDEX, 'on')
    await switchAll(db, BY_TABLE, 'off')
    const by_table = await count(db, rows, 'by_table')
    // Of no rows none are lost, and PostgreSQL does not care by which of two empty indexes it finds none.
    return { by_table, by_index: by_table === 0 ? (by_index ?? 0) : by_index }
  })
}

async function switchAll(db: Database, settings: readonly string[], to: 'on' | 'off'): Promise<void> {
  for (const setting of settings) await sql`set local ${sql.raw(setting)} = ${sql.raw(to)}`.execute(db)
}

/**
 * Asked in the order of its keys, rows come by a B-tree or must be sorted. Of GiST they are asked by conditions that hold for
 * all of them and that no other index knows; what they are compared with is hidden from PostgreSQL, which would see through them.
 */
function rowsOf({ table, keys, predicate, is_gist }: Index): RawBuilder<unknown> {
  const conditions = [predicate ?? 'true', ...(is_gist ? everythingOf(keys) : [])].join(' and ')
  const order = is_gist ? '' : `order by ${keys.join(', ')}`
  return sql`(select from ${sql.raw(`${table} where ${conditions} ${order}`)} offset 0)`
}

/** The exclusion constraints compare ids, and last a range. */
function everythingOf(keys: readonly string[]): readonly string[] {
  return keys.map((key, at) =>
    at === keys.length - 1
      ? `${key} && (select tsrange(null, null))`
      : `${key} >= (select '00000000-0000-0000-0000-000000000000'::uuid)`,
  )
}

/** Each count has a name, and so a text of its own: PostgreSQL keeps the plan of a text it knows, whatever it may take now. */
async function count(
  db: Database,
  rows: RawBuilder<unknown>,
  name: 'by_index' | 'by_table',
): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::float8 as count from ${rows} ${sql.ref(name)}`.execute(db)
  return counted.rows[0]?.count ?? 0
}

/** Whether PostgreSQL would count by the index. If not, the count would say nothing of it. */
async function isReadBy(db: Database, rows: RawBuilder<unknown>, { name }: Index): Promise<boolean> {
  const plan = await sql<object>`explain (format json) select count(*) from ${rows} rows`.execute(db)
  return JSON.stringify(plan.rows).includes(`"Index Name":"${name}"`)
}

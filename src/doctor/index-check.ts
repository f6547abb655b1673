import { type RawBuilder, sql } from 'kysely'
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
  for (const index of await inSnapshot(database, validIndexes)) {
    const { name: resource_id, table } = index
    const what = { resource: 'index', resource_id }
    await unlessUnreadable(
      (fact) => tell(null, fact),
      what,
      async () => {
        const { by_table, by_index } = await countsOf(database, index)
        if (by_table !== by_index)
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

/** Both counts are of one state. */
async function countsOf(database: DatabasePool, index: Index) {
  return inSnapshot(database, async (db) => {
    const rows = rowsOf(index)
    await without(db, BY_INDEX)
    await requireIndex(db, rows, index)
    const by_index = await count(db, rows, 'by_index')
    for (const setting of BY_INDEX) await sql`set local ${sql.raw(setting)} = on`.execute(db)
    await without(db, BY_TABLE)
    return { by_index, by_table: await count(db, rows, 'by_table') }
  })
}

async function without(db: Database, settings: readonly string[]): Promise<void> {
  for (const setting of settings) await sql`set local ${sql.raw(setting)} = off`.execute(db)
}

/** Asked in the order of its keys, rows come by a B-tree or must be sorted; and only GiST finds what overlaps everything. */
function rowsOf({ table, keys, predicate, is_gist }: Index): RawBuilder<unknown> {
  const everything = is_gist ? `${keys.at(-1)} && (select tsrange(null, null))` : 'true'
  const order = is_gist ? '' : `order by ${keys.join(', ')}`
  return sql`(select from ${sql.raw(`${table} where ${predicate ?? 'true'} and ${everything} ${order}`)} offset 0)`
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

/** Throws if PostgreSQL would count by something else: then nothing would be known of the index. */
async function requireIndex(db: Database, rows: RawBuilder<unknown>, { name }: Index): Promise<void> {
  const plan = await sql<object>`explain (format json) select count(*) from ${rows} rows`.execute(db)
  if (!JSON.stringify(plan.rows).includes(`"Index Name":"${name}"`))
    throw new Error(`PostgreSQL does not read by the index ${name}: it could not be examined.`)
}

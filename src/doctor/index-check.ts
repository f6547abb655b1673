import { type RawBuilder, sql } from 'kysely'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inLongSnapshot } from '../db/connection/transaction.ts'
import { isSpread, isSpreadTable } from '../db/schema/citus.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Report } from './finding.ts'
import { unlessUnreadable } from './unreadable.ts'

type Index = {
  readonly name: string
  readonly table: string
  readonly keys: readonly string[]
  readonly predicate: string | null
  readonly is_gist: boolean
  readonly is_gin: boolean
}

/** The settings that make PostgreSQL read a table by an index, regardless of estimated sizes. */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  seq_page_cost: '0',
  random_page_cost: '0',
  cpu_tuple_cost: '0',
  cpu_index_tuple_cost: '0',
}

const BY_INVERTED_INDEX = {
  ...BY_INDEX,
  enable_bitmapscan: 'on',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  cpu_operator_cost: '0',
}

const BY_TABLE = {
  enable_seqscan: 'on',
  enable_sort: 'on',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
}

/** Compares row counts by table scan and by each index. If they differ, some requests miss rows or count them twice. */
export async function checkIndexes(database: DatabasePool, report: Report): Promise<void> {
  const areSpread = await isSpread(database)
  for (const index of await inLongSnapshot(database, validIndexes)) {
    if (areSpread && isSpreadTable(index.table)) continue
    const { name: resource_id, table } = index
    const what = { resource: 'index', resource_id }
    await unlessUnreadable(
      (fact) => report(null, fact),
      what,
      async () => {
        const { by_table, by_index } = await countsOf(database, index)
        if (by_index === undefined) report(null, { ...what, code: 'index_not_examined', params: { table } })
        else if (by_table !== by_index)
          report(null, { ...what, code: 'index_differs', params: { table, by_table, by_index } })
      },
    )
  }
}

async function validIndexes(db: Database): Promise<readonly Index[]> {
  const { rows } = await sql<Index>`
    select indexrelid::regclass::text as name, indrelid::regclass::text as "table", amname = 'gist' as is_gist, amname = 'gin' as is_gin,
      array(select pg_get_indexdef(indexrelid, number, true) from generate_series(1, indnkeyatts) number) as keys,
      pg_get_expr(indpred, indrelid) as predicate
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where relnamespace = 'public'::regnamespace and indisvalid order by 2, 1`.execute(db)
  return rows
}

/** Counts rows both ways in one snapshot. `by_index` is undefined if PostgreSQL would not use the index. */
async function countsOf(database: DatabasePool, index: Index) {
  return inLongSnapshot(database, async (db) => {
    const rows = rowsOf(index)
    await set(db, index.is_gin ? BY_INVERTED_INDEX : BY_INDEX)
    const by_index = (await isReadBy(db, rows, index)) ? await count(db, rows, 'by_index') : undefined
    await set(db, BY_TABLE)
    const by_table = await count(db, rows, 'by_table')
    // If the table is empty, PostgreSQL may use another empty index.
    return { by_table, by_index: by_table === 0 ? (by_index ?? 0) : by_index }
  })
}

async function set(db: Database, settings: Readonly<Record<string, string>>): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  await sql`select ${sql.join(calls)}`.execute(db)
}

/** Selects rows by the index: sorted by its keys, or with a condition so expensive that only the index avoids it. */
function rowsOf({ table, keys, predicate, is_gist, is_gin }: Index): RawBuilder<unknown> {
  const all = predicate ? `${predicate} and (${predicate} or ${EXPENSIVE})` : 'true'
  // An inverted index has entries, not rows: every list contains the empty one.
  const conditions = is_gin ? `${all} and ${keys[0]} @> '[]'` : all
  const order = is_gist || is_gin ? '' : `order by ${keys.join(', ')}`
  return sql`(select from ${sql.raw(`${table} where ${conditions} ${order}`)} offset 0)`
}

/** A condition more expensive than any index. It uses a column, since PostgreSQL would evaluate a constant when planning. */
const EXPENSIVE = Array.from(
  { length: 20 },
  (_, number) => `to_tsvector('simple', tableoid::text || '${number}') is null`,
).join(' or ')

/** Counts rows. The name makes the statement's text unique: otherwise PostgreSQL would reuse a cached plan. */
async function count(
  db: Database,
  rows: RawBuilder<unknown>,
  name: 'by_index' | 'by_table',
): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::float8 as count from ${rows} ${sql.ref(name)}`.execute(db)
  return counted.rows[0]?.count ?? 0
}

async function isReadBy(db: Database, rows: RawBuilder<unknown>, { name }: Index): Promise<boolean> {
  const plan = await sql<object>`explain (format json) select count(*) from ${rows} rows`.execute(db)
  return JSON.stringify(plan.rows).includes(`"Index Name":"${name}"`)
}

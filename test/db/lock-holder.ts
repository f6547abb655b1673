import pg from 'pg'
import { postgresDatabase } from '../support/database.ts'
import type { Scene } from './writes.ts'

/** The tables whose row locks writes wait for. */
export const TABLES = ['calendars', 'students', 'instructors', 'appointments', 'tenants', 'users'] as const

/** Connects a client that waits longer for locks and deadlocks than the service. */
export async function connectLockHolder(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgresDatabase().owner })
  await client.connect()
  await client.query(`set deadlock_timeout = '1min'`)
  return client
}

/** Begins a transaction and locks the school's rows of the table. */
export async function hold(database: pg.Client, table: (typeof TABLES)[number], scene: Scene): Promise<void> {
  await database.query('begin')
  await lockAll(database, table, scene)
}

/** Locks the school's rows of the table until the transaction ends. */
export async function lockAll(
  database: pg.Client,
  table: string,
  { school: { tenantId } }: Scene,
): Promise<void> {
  const owner = table === 'tenants' ? 'id' : 'tenant_id'
  await database.query(`select from ${table} where ${owner} = $1 for update`, [tenantId])
}

/** Returns the school's rows, as text, of the tables that the writes change. */
export async function stateOf(database: pg.Client, { school: { tenantId } }: Scene): Promise<unknown> {
  const tables = ['calendars', 'students', 'instructors', 'appointments', 'users', 'changes']
  const rows = tables.map(
    (table) =>
      `select '${table}', string_agg(one::text, e'\\n' order by id) from ${table} one where tenant_id = $1`,
  )
  return (await database.query(rows.join(' union all '), [tenantId])).rows
}

/** Waits until another connection waits for a lock of the holder. */
export async function waitUntilBlockedBy(holder: pg.Client): Promise<void> {
  const waiting = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
  while ((await holder.query(waiting)).rowCount === 0);
}

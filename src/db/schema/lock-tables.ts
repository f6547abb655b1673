import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { sqlStateOf } from '../connection/transaction.ts'
import { AT_HOME, EVERYWHERE, SPREAD } from './citus.ts'
import type { Database } from './tables.ts'

/** The order in which most requests lock tables. A booking's foreign keys lock its people after the log: no order suits all. */
const ORDER = [...EVERYWHERE, ...Object.keys(AT_HOME), ...SPREAD]

/** Shorter than `deadlock_timeout` (1 s): in a deadlock the migration gives way, and no request is aborted. */
const SHORT_WAIT_MS = 500
/** Long enough for PostgreSQL to cancel an autovacuum, and shorter than the `lock_timeout` of requests (2 s). */
const LONG_WAIT_MS = 1_500
const SHORT_WAITS = 10
const ATTEMPTS = 60
const PAUSE_FOR_REQUESTS_MS = 1_000

const GIVES_WAY = new Set(['57014', '55P03'])
const DEADLOCK = '40P01'

export class TablesInUse extends Error {}

/** Locks all existing tables until the transaction ends, so that nothing that follows waits. Throws `TablesInUse`. */
export async function lockTables(db: Database, attempt: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${ORDER}::text[]) with ordinality as known (name, position)
    where to_regclass(name) is not null order by position`.execute(db)
  if (rows.length === 0) return
  const wait = attempt <= SHORT_WAITS ? SHORT_WAIT_MS : LONG_WAIT_MS
  const names = sql.join(rows.map(({ name }) => sql.table(name)))
  await sql`set local statement_timeout = ${sql.lit(wait)}`.execute(db)
  try {
    await sql`lock table ${names} in access exclusive mode`.execute(db)
  } catch (error) {
    throw GIVES_WAY.has(sqlStateOf(error) ?? '') ? new TablesInUse() : error
  }
  await sql`set local statement_timeout to default`.execute(db)
}

/** Repeats work that was rolled back because tables were in use or a deadlock occurred. Throws `TablesInUse` after the last attempt. */
export async function untilUnused<T>(
  db: Database,
  work: (attempt: number) => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (!(error instanceof TablesInUse) && sqlStateOf(error) !== DEADLOCK) throw error
      if (attempt === attempts) throw new TablesInUse(await complaintAt(db, attempts))
    }
    await pause(PAUSE_FOR_REQUESTS_MS)
  }
}

async function complaintAt(db: Database, attempts: number): Promise<string> {
  const { rows } = await sql<{ connection: string }>`
    select distinct format('%s (process %s)', coalesce(nullif(application_name, ''), usename), pid) as connection
    from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and relation = any(select to_regclass(name) from unnest(${ORDER}::text[]) name)
      and pid <> pg_backend_pid()
    order by 1`.execute(db)
  const connections = rows.map(({ connection }) => connection).join(', ') || 'none now'
  return `The database was not migrated: in ${attempts} attempts, other connections did not release its tables. Connections that use them: ${connections}. End these, or migrate when they have ended.`
}

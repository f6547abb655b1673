import { sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

/** 9,000 rows are read of a table. PostgreSQL's 30,000 held the only connection for longer than requests wait for a turn. */
const STATISTICS_TARGET = 30

/** Vacuums the tables and analyzes changed ones, with requests in between. A file that shrinks counts as damaged (`damage.ts`). */
export async function vacuumTables(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string; is_changed: boolean }>`
    select oid::regclass::text as name, pg_stat_get_mod_since_analyze(oid) > 0 as is_changed
    from pg_class where relkind = 'r'`.execute(db)
  for (const { name, is_changed } of rows) {
    await sql`vacuum (truncate false) ${sql.raw(name)}`.execute(db)
    if (is_changed) await analyze(db, name)
  }
}

async function analyze(db: Database, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local default_statistics_target = ${sql.lit(STATISTICS_TARGET)}`.execute(trx)
    await sql`analyze ${sql.raw(name)}`.execute(trx)
  })
}

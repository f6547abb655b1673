import { sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

/**
 * Vacuums and analyzes the tables one by one, so that requests can use the only connection in between. Does not truncate, because
 * a file that shrinks counts as damaged (`damage.ts`).
 */
export async function vacuumTables(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'r'`.execute(db)
  for (const { name } of rows) await sql`vacuum (analyze, truncate false) ${sql.raw(name)}`.execute(db)
}

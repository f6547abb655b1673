import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import * as initial from './migrations/0001-initial.ts'
import type { Database } from './tables.ts'

/** Append-only: a migration that has landed is never edited. */
const migrations = { '0001-initial': initial }

/** Brings the schema up to date and answers the names of the migrations that ran. One process at a time does it. */
export async function migrate(db: Database): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Lets a role that owns nothing read and write the data, and no more. */
export async function grantTo(db: Database, role: string): Promise<void> {
  // Two grants at the same time fail with "tuple concurrently updated".
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('fahrplan grant'))`.execute(transaction)
    await sql`grant select, insert, update, delete on all tables in schema public to ${sql.id(role)}`.execute(
      transaction,
    )
  })
}

/** Whether this service knows every migration that the database has, and the database has every one of ours. */
export async function isMigrated(db: Database): Promise<boolean> {
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return Object.keys(migrations).every((name) => done.rows.some((row) => row.name === name))
}

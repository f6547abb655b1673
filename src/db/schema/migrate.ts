import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { fillLessonEnrolments } from '../migrations/0110-enrolments-of-lessons.ts'
import { fillBalances } from '../migrations/0129-balances-of-enrolments.ts'
import { isSpread } from './citus.ts'
import { lockTables, untilUnused } from './lock-tables.ts'
import type { Database } from './tables.ts'

/** The append-only folder of migrations: the statements of a merged one are never edited. */
const FOLDER = new URL('../migrations/', import.meta.url)

export const MIGRATIONS: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted()

export const migrationProvider: MigrationProvider = {
  getMigrations: async () => {
    const modules = MIGRATIONS.map(async (name) => [name, await import(`../migrations/${name}.ts`)] as const)
    return Object.fromEntries(await Promise.all(modules))
  },
}

export async function listMigrationsRun(db: Database): Promise<readonly string[]> {
  const known = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  if (!known.rows[0]?.is_there) return []
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

export class NewerSchema extends Error {
  constructor(migration: string) {
    super(
      `The database was made by a newer Fahrplan, which has the migration ${migration}: use that, or restore a backup.`,
    )
  }
}

/** Brings the schema up to date, one process at a time, and returns the names of the migrations that ran. Throws `NewerSchema`. */
export async function migrate(db: Database): Promise<readonly string[]> {
  if (await isSpread(db)) await sql`set citus.multi_shard_modify_mode to 'sequential'`.execute(db)
  const migrations = await untilUnused(db, (attempt) => runPending(db, attempt))
  await untilUnused(db, () => fillLessonEnrolments(db))
  await untilUnused(db, () => fillBalances(db))
  return migrations
}

/** Runs the pending migrations in a transaction, in which the first one locks all tables. */
async function runPending(db: Database, attempt: number): Promise<readonly string[]> {
  let areLocked = false
  const getMigrations = async () => {
    const migrations = await migrationProvider.getMigrations()
    const locking = Object.entries(migrations).map(([name, { up }]) => {
      const lockAndRun = async (transaction: Parameters<typeof up>[0]) => {
        if (!areLocked) await lockTables(transaction, attempt)
        areLocked = true
        await up(transaction)
      }
      return [name, { up: lockAndRun }] as const
    })
    return Object.fromEntries(locking)
  }
  const { error, results = [] } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  if (error) throw (await newerSchema(db).catch(() => undefined)) ?? error
  return results.map(({ migrationName }) => migrationName)
}

export async function requireNotNewer(db: Database): Promise<void> {
  const newer = await newerSchema(db)
  if (newer) throw newer
}

async function newerSchema(db: Database): Promise<NewerSchema | undefined> {
  const last = (await listMigrationsRun(db)).at(-1) ?? ''
  return MIGRATIONS.every((known) => known < last) ? new NewerSchema(last) : undefined
}

/** Grants a role read and write access to the data, except to the log (read, append) and the list of migrations (read). */
export async function grantTo(db: Database, role: string): Promise<void> {
  const name = sql.id(role)
  // Two concurrent grants fail with "tuple concurrently updated".
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('fahrplan grant'))`.execute(transaction)
    await sql`grant select, insert, update, delete on all tables in schema public to ${name}`.execute(
      transaction,
    )
    await sql`revoke update, delete on changes from ${name}`.execute(transaction)
    await sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock from ${name}`.execute(
      transaction,
    )
  })
}

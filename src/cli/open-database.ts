import type { DatabaseConfig } from '../config.ts'
import { connectForMaintenance, connectPostgres, type Reporter } from '../db/connect.ts'
import { openEmbedded, takeDataDir } from '../db/data-dir.ts'
import { grantTo, migrate } from '../db/migrate.ts'
import type { Database } from '../db/tables.ts'

/** An open database whose schema is up to date, and how to let go of it. */
export type OpenDatabase = {
  readonly db: Database
  readonly migrations: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens and migrates the configured database. Throws `DataDirInUse` where another process holds the embedded one. */
export async function openDatabase(
  config: DatabaseConfig,
  command: string,
  report: Reporter,
): Promise<OpenDatabase> {
  if (config.kind === 'postgres') return openPostgres(config, report)
  const dataDir = takeDataDir(config.dataDir, command)
  try {
    const db = await openEmbedded(dataDir, report)
    const migrations = await migrate(db)
    const close = async () => {
      await db.destroy()
      dataDir.release()
    }
    return { db, migrations, close }
  } catch (error) {
    dataDir.release()
    throw error
  }
}

/** The schema belongs to the migration role; the service's role, where it is another, may only read and write rows. */
async function openPostgres(
  { url, migrationUrl }: Extract<DatabaseConfig, { kind: 'postgres' }>,
  report: Reporter,
): Promise<OpenDatabase> {
  const owner = connectForMaintenance(migrationUrl, report)
  try {
    const migrations = await migrate(owner)
    const role = decodeURIComponent(new URL(url).username)
    if (role && role !== decodeURIComponent(new URL(migrationUrl).username)) await grantTo(owner, role)
    const db = connectPostgres(url, report)
    return { db, migrations, close: () => db.destroy() }
  } finally {
    await owner.destroy()
  }
}

import type { DatabaseConfig } from '../config.ts'
import { connectForMaintenance, connectPostgres, type Reporter } from '../db/connect.ts'
import { openEmbedded, takeDataDir } from '../db/data-dir.ts'
import { requireSpace } from '../db/disk-space.ts'
import { grantTo, migrate } from '../db/migrate.ts'
import type { DatabasePool } from '../db/pool.ts'

/** An open database whose schema is up to date, and how to let go of it. */
export type OpenDatabase = {
  readonly db: DatabasePool
  readonly migrations: readonly string[]
  readonly close: () => Promise<void>
}

/** Who opens a database, and where to say what is lost and what takes long. */
export type Opening = {
  readonly command: string
  readonly report: Reporter
  readonly progress: (line: string) => void
}

/** Opens and migrates the configured database. Throws `DataDirInUse` where another process holds the embedded one. */
export async function openDatabase(config: DatabaseConfig, opening: Opening): Promise<OpenDatabase> {
  // A line for whatever takes longer than a second.
  const timer = setTimeout(() => opening.progress('Opening the database …'), 1000)
  try {
    if (config.kind === 'postgres') return await openPostgres(config, opening.report)
    return await openDataDir(config.dataDir, opening)
  } finally {
    clearTimeout(timer)
  }
}

async function openDataDir(path: string, { command, report }: Opening): Promise<OpenDatabase> {
  const dataDir = takeDataDir(path, command)
  let close = async () => dataDir.release()
  try {
    requireSpace(path)
    const db = await openEmbedded(dataDir, report)
    close = async () => {
      await db.destroy()
      dataDir.release()
    }
    return { db, migrations: await migrate(db), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The schema belongs to the migration role; the service's role, where it is another, may only read and write rows. */
async function openPostgres(
  { url, migrationUrl, namedStatements }: Extract<DatabaseConfig, { kind: 'postgres' }>,
  report: Reporter,
): Promise<OpenDatabase> {
  const owner = connectForMaintenance(migrationUrl, report)
  try {
    const migrations = await migrate(owner)
    const role = decodeURIComponent(new URL(url).username)
    if (role && role !== decodeURIComponent(new URL(migrationUrl).username)) await grantTo(owner, role)
    const db = connectPostgres(url, report, { namedStatements })
    return { db, migrations, close: () => db.destroy() }
  } finally {
    await owner.destroy()
  }
}

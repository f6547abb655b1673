import type { DatabaseConfig } from '../config.ts'
import { isSpread } from '../db/citus.ts'
import { connectForMaintenance, connectPostgres, type Reporter } from '../db/connect.ts'
import { hasDatabase, openEmbedded, takeDataDir } from '../db/data-dir.ts'
import { requireSpace } from '../db/disk-space.ts'
import { grantTo, migrate } from '../db/migrate.ts'
import type { DatabasePool } from '../db/pool.ts'
import { userOf } from '../db/servers.ts'

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

/**
 * Opens the configured database and leaves it as it is: no migration runs. Statements may take long. Throws where there is
 * no database, and `DataDirInUse` where another process holds the embedded one.
 */
export async function openAsItIs(
  config: DatabaseConfig,
  { command, report }: Opening,
): Promise<Omit<OpenDatabase, 'migrations'>> {
  if (config.kind === 'postgres') {
    const db = connectForMaintenance(config.url, report)
    return { db, close: () => db.destroy() }
  }
  if (!hasDatabase(config.dataDir)) throw new Error(`There is no database in ${config.dataDir}.`)
  const { db, close } = await holdDataDir(config.dataDir, { command, report })
  return { db, close }
}

async function openDataDir(path: string, opening: Opening): Promise<OpenDatabase> {
  const { db, close } = await holdDataDir(path, opening)
  try {
    return { db, migrations: await migrate(db), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function holdDataDir(
  path: string,
  { command, report }: Pick<Opening, 'command' | 'report'>,
): Promise<Omit<OpenDatabase, 'migrations'>> {
  const dataDir = takeDataDir(path, command)
  try {
    requireSpace(path)
    const db = await openEmbedded(dataDir, report)
    const close = async () => {
      await db.destroy()
      dataDir.release()
    }
    return { db, close }
  } catch (error) {
    dataDir.release()
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
    const role = userOf(url)
    if (role && role !== userOf(migrationUrl)) await grantTo(owner, role)
    const db = connectPostgres(url, report, { namedStatements, isSpread: await isSpread(owner) })
    return { db, migrations, close: () => db.destroy() }
  } finally {
    await owner.destroy()
  }
}

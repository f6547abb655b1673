import { sql } from 'kysely'
import type { DatabaseConfig } from '../config.ts'
import { connectForMaintenance, connectPostgres, type Reporter } from '../db/connection/connect.ts'
import { blaming } from '../db/connection/connection-fault.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { userIn } from '../db/connection/servers.ts'
import { isSpread } from '../db/schema/citus.ts'
import { grantTo, listMigrationsRun, migrate } from '../db/schema/migrate.ts'
import { hasDatabase, mayHaveDatabase, openEmbedded, takeDataDir } from '../db/upkeep/data-dir.ts'
import { requireSpace } from '../db/upkeep/disk-space.ts'
import type { AsOwner } from '../http/service.ts'

/** Thrown if the database or its schema is missing and the command does not create it. */
export class NoDatabase extends Error {}

type PostgresConfig = Extract<DatabaseConfig, { kind: 'postgres' }>

export type OpenDatabase = {
  readonly db: DatabasePool
  readonly migrations: readonly string[]
  /** Absent if the role of `db` owns the tables. */
  readonly asOwner?: AsOwner
  readonly close: () => Promise<void>
}

export type OpenOptions = {
  readonly command: string
  readonly makesDatabase: boolean
  readonly report: Reporter
  readonly progress: (line: string) => void
}

/** Opens and migrates the configured database. Throws `DataDirInUse`, `NoDatabase`, and a `ConnectionFault`. */
export async function openDatabase(config: DatabaseConfig, opening: OpenOptions): Promise<OpenDatabase> {
  const timer = setTimeout(() => opening.progress('Opening the database …'), 1000)
  try {
    if (config.kind === 'postgres') return await openPostgres(config, opening)
    return await openDataDir(config.dataDir, opening)
  } finally {
    clearTimeout(timer)
  }
}

/** Opens the configured database without migrations or statement limits. Throws like `openDatabase`. */
export async function openAsItIs(
  config: DatabaseConfig,
  opening: OpenOptions,
): Promise<Omit<OpenDatabase, 'migrations'>> {
  if (config.kind === 'embedded') return requireSchema(await holdDataDir(config.dataDir, opening), opening)
  return blaming('DATABASE_URL', () => requireSchema(openForReading(config.url, opening), opening))
}

function openForReading(url: string, { report }: OpenOptions) {
  const db = connectForMaintenance(url, report)
  return { db, close: () => db.destroy() }
}

async function requireSchema<Opened extends Omit<OpenDatabase, 'migrations'>>(
  opened: Opened,
  { makesDatabase }: Pick<OpenOptions, 'makesDatabase'>,
): Promise<Opened> {
  if (makesDatabase) return opened
  try {
    if ((await listMigrationsRun(opened.db)).length === 0) throw new NoDatabase('no schema')
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openDataDir(path: string, opening: OpenOptions): Promise<OpenDatabase> {
  const { db, close } = await requireSchema(await holdDataDir(path, opening), opening)
  try {
    return { db, migrations: await migrate(db), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function holdDataDir(
  path: string,
  { command, report, makesDatabase }: OpenOptions,
): Promise<Omit<OpenDatabase, 'migrations'>> {
  if (!makesDatabase && !mayHaveDatabase(path)) throw new NoDatabase(path)
  const dataDir = takeDataDir(path, command)
  try {
    if (!makesDatabase && !hasDatabase(path)) throw new NoDatabase(path)
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

/** Migrates as the role that owns the schema. A separate role of the service may only read and write rows. */
async function openPostgres(
  { url, migrationUrl, migrationVariable, namedStatements }: PostgresConfig,
  { report, makesDatabase }: OpenOptions,
): Promise<OpenDatabase> {
  const owner = connectForMaintenance(migrationUrl, report)
  try {
    const { migrations, isOnCluster } = await blaming(migrationVariable, async () => {
      if (!makesDatabase && (await listMigrationsRun(owner)).length === 0) throw new NoDatabase('no schema')
      const migrations = await migrate(owner)
      const role = userIn(url)
      if (role && role !== userIn(migrationUrl)) await grantTo(owner, role)
      return { migrations, isOnCluster: await isSpread(owner) }
    })
    const db = connectPostgres(url, report, { namedStatements, isSpread: isOnCluster })
    await requireRead(db)
    const asOwner = ownerOf(migrationUrl, { report, isSpread: isOnCluster })
    return { db, migrations, ...(migrationUrl !== url && { asOwner }), close: () => db.destroy() }
  } finally {
    await owner.destroy()
  }
}

/** Returns a function that runs work on a connection of the owner, which is open only meanwhile. */
function ownerOf(
  url: string,
  { report, isSpread }: { readonly report: Reporter; readonly isSpread: boolean },
): AsOwner {
  return async (work) => {
    const owner = connectPostgres(url, report, { max: 1, namedStatements: false, isSpread })
    try {
      return await work(owner)
    } finally {
      await owner.destroy()
    }
  }
}

async function requireRead(db: DatabasePool): Promise<void> {
  try {
    await blaming('DATABASE_URL', () => sql`select 1 from tenants limit 1`.execute(db))
  } catch (error) {
    await db.destroy()
    throw error
  }
}

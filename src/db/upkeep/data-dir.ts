import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectEmbedded, type Reporter } from '../connection/connect.ts'
import type { DatabasePool } from '../connection/pool.ts'
import { requireNotNewer } from '../schema/migrate.ts'
import { repairDamageIn } from './damage.ts'
import { makeFolder, restrictDataDir, restrictFiles } from './private-files.ts'

export type LockHolder = { readonly pid: number; readonly command: string; readonly since: string }

export class DataDirInUse extends Error {
  readonly holder: LockHolder | undefined

  constructor(dataDir: string, holder: LockHolder | undefined) {
    const who = holder
      ? `process ${holder.pid} ("${holder.command}", since ${holder.since})`
      : 'another process'
    super(`The data directory ${dataDir} is in use by ${who}.`)
    this.holder = holder
  }
}

export class DamagedDatabase extends Error {
  constructor(home: string, reason: string) {
    super(
      `The database in ${home} cannot be used: ${reason}. Restore it from a backup, or choose another DATA_DIR.`,
    )
  }
}

/** The major version of the embedded PostgreSQL. The files of other major versions are incompatible. */
export const POSTGRES_MAJOR = '18'

export class OtherMajor extends Error {
  readonly major: string

  constructor(home: string, major: string) {
    super(
      `The database in ${home} is of PostgreSQL ${major}, and this Fahrplan has PostgreSQL ${POSTGRES_MAJOR}. Nothing was changed. With the Fahrplan that made it: backup --portable --out FILE. Then with this one: restore --in FILE --replace. See "Upgrades" in docs/operations.md.`,
    )
    this.major = major
  }
}

export function databaseIn(path: string): string {
  return join(path, 'database')
}

const LOCK = 'lock'

const SCRATCH = 'scratch'

/** Returns a temporary path on the database's file system. The caller must remove it. */
export function scratchIn(dataDir: string): string {
  mkdirSync(join(dataDir, SCRATCH), { recursive: true, mode: 0o700 })
  return join(dataDir, SCRATCH, randomUUID())
}

export type DataDir = { readonly path: string; readonly release: () => void }

/** Locks a data directory with SQLite, since two processes on one database lose acknowledged writes. Throws `DataDirInUse`. */
export function takeDataDir(path: string, command: string): DataDir {
  const lock = openLock(path)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (!isLocked(error)) throw error
    throw new DataDirInUse(path, readHolder(path))
  }
  try {
    requireOwn(path)
  } catch (error) {
    lock.close()
    throw error
  }
  rmSync(join(path, SCRATCH), { recursive: true, force: true })
  const holder: LockHolder = { pid: process.pid, command, since: new Date().toISOString() }
  writeFileSync(join(path, 'holder.json'), JSON.stringify(holder))
  return { path, release: () => lock.close() }
}

function openLock(path: string): DatabaseSync {
  try {
    makeFolder(path, 0o700)
  } catch (error) {
    throw unusable(path, error)
  }
  restrictDataDir(path)
  try {
    return new DatabaseSync(join(path, LOCK))
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Throws if root would create files that the directory's owner could not open. */
function requireOwn(path: string): void {
  const { uid } = statSync(path)
  if (process.getuid?.() !== 0 || uid === 0) return
  throw new Error(
    `The data directory ${resolve(path)} belongs to another user, who could not open files that root creates. Run the command as that user: sudo -u '#${uid}' …`,
  )
}

function unusable(path: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(
    `The data directory ${resolve(path)} cannot be used: ${reason}. Choose another DATA_DIR, or run the command as a user who may write there.`,
  )
}

/** Opens or creates a locked directory's embedded database. Throws `DamagedDatabase` for damage that it cannot repair. */
export async function openEmbedded({ path }: DataDir, report: Reporter): Promise<DatabasePool> {
  const home = databaseIn(path)
  putBack(path)
  if (!existsSync(home)) await replaceDatabase(path, async (unfinished) => makeEmbedded(unfinished, report))
  return openIn(path, home, report)
}

async function openIn(path: string, home: string, report: Reporter): Promise<DatabasePool> {
  const versionFile = join(home, 'PG_VERSION')
  // Without this file PGlite would create a database over the existing files.
  if (!existsSync(versionFile)) throw new DamagedDatabase(home, 'PG_VERSION is missing')
  const major = readFileSync(versionFile, 'utf8').trim()
  if (major !== POSTGRES_MAJOR) throw new OtherMajor(home, major)
  const db = await connectExisting(home, report)
  try {
    restrictFiles(path)
    const damage = await repairDamageIn(home, db)
    if (damage) throw new DamagedDatabase(home, damage)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

async function connectExisting(home: string, report: Reporter): Promise<DatabasePool> {
  try {
    return await connectEmbedded(home, report)
  } catch (error) {
    throw new DamagedDatabase(home, error instanceof Error ? error.message : String(error))
  }
}

async function makeEmbedded(home: string, report: Reporter): Promise<void> {
  const db = await connectEmbedded(home, report)
  await db.destroy()
}

/** Replaces or creates the database, which is renamed into place only when it is complete. */
async function replaceDatabase(path: string, make: (home: string) => Promise<void>): Promise<void> {
  const [home, unfinished, replaced] = [databaseIn(path), join(path, 'database.unfinished'), replacedIn(path)]
  rmSync(unfinished, { recursive: true, force: true })
  await make(unfinished)
  rmSync(replaced, { recursive: true, force: true })
  if (existsSync(home)) renameSync(home, replaced)
  renameSync(unfinished, home)
  rmSync(replaced, { recursive: true, force: true })
}

export function hasDatabase(path: string): boolean {
  return existsSync(databaseIn(path)) || existsSync(replacedIn(path))
}

export function mayHaveDatabase(path: string): boolean {
  return hasDatabase(path) || existsSync(join(path, LOCK))
}

function replacedIn(path: string): string {
  return join(path, 'database.replaced')
}

/** Renames the old database back if a restore was killed between its two renames; deletes it if killed later. */
function putBack(path: string): void {
  if (!existsSync(replacedIn(path))) return
  if (existsSync(databaseIn(path))) rmSync(replacedIn(path), { recursive: true })
  else renameSync(replacedIn(path), databaseIn(path))
}

/** Restores a locked data directory. Keeps the old database until the new one opens. Throws `DamagedDatabase`, `NewerSchema`. */
export async function restoreEmbedded(
  { path }: DataDir,
  make: (home: string) => Promise<void>,
  report: Reporter,
): Promise<void> {
  putBack(path)
  await replaceDatabase(path, async (home) => {
    await make(home)
    const db = await openIn(path, home, report)
    await requireNotNewer(db).finally(() => db.destroy())
  })
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes('locked')
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(path, 'holder.json'), 'utf8'))
  } catch {
    return undefined
  }
}

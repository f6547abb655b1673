import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectEmbedded, type Reporter } from '../connection/connect.ts'
import type { DatabasePool } from '../connection/pool.ts'
import { requireNotNewer } from '../schema/migrate.ts'
import { mendDamageIn } from './damage.ts'
import { closeDataDir, closeFiles, makeFolder } from './private-files.ts'

/** The process that holds a data directory, for the message to another one. */
export type Holder = { readonly pid: number; readonly command: string; readonly since: string }

/** The directory is held by another process. */
export class DataDirInUse extends Error {
  readonly holder: Holder | undefined

  constructor(dataDir: string, holder: Holder | undefined) {
    const who = holder
      ? `process ${holder.pid} ("${holder.command}", since ${holder.since})`
      : 'another process'
    super(`The data directory ${dataDir} is in use by ${who}.`)
    this.holder = holder
  }
}

/** The embedded database is there but does not open, or could not answer every request. */
export class DamagedDatabase extends Error {
  constructor(home: string, reason: string) {
    super(
      `The database in ${home} cannot be used: ${reason}. Restore it from a backup, or choose another DATA_DIR.`,
    )
  }
}

/** The embedded PostgreSQL. Another major version has other files, and cannot read these. */
export const POSTGRES_MAJOR = '18'

/** The database was made by another PostgreSQL than the one that is built in. */
export class OtherMajor extends Error {
  constructor(home: string, major: string) {
    super(
      `The database in ${home} is of PostgreSQL ${major}, and this Fahrplan has PostgreSQL ${POSTGRES_MAJOR}. Nothing was changed. With the Fahrplan that made it: backup --portable --out FILE. Then with this one: restore --in FILE --replace. See "Upgrades" in docs/operations.md.`,
    )
  }
}

/** Returns the path of the database's files in a data directory. */
export function databaseIn(path: string): string {
  return join(path, 'database')
}

/** The file that the holder of a data directory has locked. */
const LOCK = 'lock'

/** The folder for temporary files of the holder; its content was left by one that was killed. */
const SCRATCH = 'scratch'

/** A path for the holder of a data directory to use for a while, and remove; on the file system of the database. */
export function scratchIn(dataDir: string): string {
  mkdirSync(join(dataDir, SCRATCH), { recursive: true, mode: 0o700 })
  return join(dataDir, SCRATCH, randomUUID())
}

/** A data directory that only this process uses. */
export type DataDir = { readonly path: string; readonly release: () => void }

/**
 * Takes a data directory for this process alone, and makes it if need be. Two processes on one embedded database both
 * acknowledge writes, and those of one vanish. The lock is SQLite's on an empty file, because the kernel frees it
 * whatever ends the process, and because it also holds between containers that share a volume. Throws `DataDirInUse`.
 */
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
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() }
  writeFileSync(join(path, 'holder.json'), JSON.stringify(holder))
  return { path, release: () => lock.close() }
}

/** Opens the lock file of a data directory and makes both if need be. Throws if this user may not. */
function openLock(path: string): DatabaseSync {
  try {
    makeFolder(path, 0o700)
  } catch (error) {
    throw unusable(path, error)
  }
  closeDataDir(path)
  try {
    return new DatabaseSync(join(path, LOCK))
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Throws if root would leave files in a data directory of another user, who could not open the database any more. */
function requireOwn(path: string): void {
  const { uid } = statSync(path)
  if (process.getuid?.() !== 0 || uid === 0) return
  throw new Error(
    `The data directory ${resolve(path)} belongs to another user, whom files of root would lock out. Run the command as that user: sudo -u '#${uid}' …`,
  )
}

function unusable(path: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(
    `The data directory ${resolve(path)} cannot be used: ${reason}. Choose another DATA_DIR, or a user who may write there.`,
  )
}

/**
 * Opens the embedded database of a directory that this process has taken; makes it on first use. Throws `DamagedDatabase`,
 * also for damage that the first requests would not have met.
 */
export async function openEmbedded({ path }: DataDir, report: Reporter): Promise<DatabasePool> {
  const home = databaseIn(path)
  putBack(path)
  if (!existsSync(home)) await replaceDatabase(path, async (unfinished) => makeEmbedded(unfinished, report))
  return openIn(path, home, report)
}

/** Opens a database that is there, as `openEmbedded` does, under whatever name it has in the data directory. */
async function openIn(path: string, home: string, report: Reporter): Promise<DatabasePool> {
  const versionFile = join(home, 'PG_VERSION')
  // Without this file PGlite would take the directory for an empty one and make a database over what is there.
  if (!existsSync(versionFile)) throw new DamagedDatabase(home, 'PG_VERSION is missing')
  const major = readFileSync(versionFile, 'utf8').trim()
  if (major !== POSTGRES_MAJOR) throw new OtherMajor(home, major)
  const db = await connectExisting(home, report)
  try {
    closeFiles(path)
    const damage = await mendDamageIn(home, db)
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

/**
 * Puts what `make` makes in the place of a data directory's database, or where none is. A database whose making was cut
 * short must not look like one: it gets its name when it is complete.
 */
async function replaceDatabase(path: string, make: (home: string) => Promise<void>): Promise<void> {
  const [home, unfinished, replaced] = [databaseIn(path), join(path, 'database.unfinished'), replacedIn(path)]
  rmSync(unfinished, { recursive: true, force: true })
  await make(unfinished)
  rmSync(replaced, { recursive: true, force: true })
  if (existsSync(home)) renameSync(home, replaced)
  renameSync(unfinished, home)
  rmSync(replaced, { recursive: true, force: true })
}

/** Whether a data directory has a database, also one that a restore which was killed has left under its other name. */
export function hasDatabase(path: string): boolean {
  return existsSync(databaseIn(path)) || existsSync(replacedIn(path))
}

/** Whether a data directory has a database, or a process that may be making one. */
export function mayHaveDatabase(path: string): boolean {
  return hasDatabase(path) || existsSync(join(path, LOCK))
}

function replacedIn(path: string): string {
  return join(path, 'database.replaced')
}

/** Killed between two renames, a restore has left no database, but the one that it was to replace; killed later, both. */
function putBack(path: string): void {
  if (!existsSync(replacedIn(path))) return
  if (existsSync(databaseIn(path))) rmSync(replacedIn(path), { recursive: true })
  else renameSync(replacedIn(path), databaseIn(path))
}

/**
 * Puts a database that comes from a backup in the place of the one in a data directory that this process has taken, or
 * where none is; what was there stays until the new one has opened. Throws `DamagedDatabase`, `NewerSchema`, and what `make` does.
 */
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

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(path, 'holder.json'), 'utf8'))
  } catch {
    return undefined
  }
}

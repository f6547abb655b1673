import { constants, createReadStream, readFileSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { DatabasePool } from '../connection/pool.ts'
import { listMigrationsRun } from '../schema/migrate.ts'
import type { Database } from '../schema/tables.ts'
import { databaseIn, POSTGRES_MAJOR, scratchIn } from './data-dir.ts'
import { FLOOR_BYTES, freeBytes, inMebibytes } from './disk-space.ts'

const MANIFEST = 'backup.json'
const FORMAT = 1

export type Manifest = {
  readonly fahrplan: 'backup'
  readonly format: number
  readonly postgres: string
  readonly schema: string
  readonly made_at: string
}

export type BackupFigures = { readonly held_ms: number; readonly bytes: number }

export class BackupFailure extends Error {}

/** Packs a copy of the embedded database, blocking it only while files are copied. Throws `BackupFailure` if space is short. */
export async function writeBackup(
  db: DatabasePool,
  dataDir: string,
  { path, now }: { readonly path: string; readonly now: Date },
): Promise<BackupFigures> {
  const copy = scratchIn(dataDir)
  await mkdir(copy, { mode: 0o700 })
  try {
    const manifest: Manifest = {
      fahrplan: 'backup',
      format: FORMAT,
      postgres: POSTGRES_MAJOR,
      schema: (await listMigrationsRun(db)).at(-1) ?? '',
      made_at: now.toISOString(),
    }
    await writeFile(join(copy, MANIFEST), `${JSON.stringify(manifest)}\n`)
    const copied = await copyDatabase(db, dataDir, databaseIn(copy))
    const { create } = await import('tar')
    await create({ file: path, cwd: copy, gzip: true, portable: true, mode: 0o600 }, [MANIFEST, 'database'])
    return copied
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Copies files while holding the only connection, which blocks writes. After a checkpoint, the files and later log are complete. */
async function copyDatabase(pool: DatabasePool, dataDir: string, to: string): Promise<BackupFigures> {
  const home = databaseIn(dataDir)
  return pool.connection().execute(async (db) => {
    const begun = performance.now()
    await sql`checkpoint`.execute(db)
    const log = await logSince(db as Database)
    const isNeeded = (path: string) => !isLogFile(path) || log.has(basename(path))
    const bytes = await bytesOf(home, isNeeded)
    if (freeBytes(dataDir) - bytes < FLOOR_BYTES)
      throw new BackupFailure(
        `A copy of the database needs ${inMebibytes(bytes + FLOOR_BYTES)} in ${dataDir}, and ${inMebibytes(freeBytes(dataDir))} are free.`,
      )
    await cp(home, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: isNeeded })
    return { held_ms: performance.now() - begun, bytes }
  })
}

/** Returns the log files in use since the checkpoint; later ones are only kept for reuse. */
async function logSince(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ first: string; last: string }>`
    select redo_wal_file as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last
    from pg_control_checkpoint()`.execute(db)
  return new Set(rows.flatMap(({ first, last }) => [first, last]))
}

function isLogFile(path: string): boolean {
  return /pg_wal[/\\][0-9A-F]{24}$/.test(path)
}

async function bytesOf(folder: string, isNeeded: (path: string) => boolean): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const sizes = await Promise.all(paths.filter(isNeeded).map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Unpacks a backup to `home` in a locked data directory. Throws `BackupFailure` if it is damaged or from another PostgreSQL. */
export async function unpackBackup(path: string, dataDir: string, home: string): Promise<void> {
  const folder = scratchIn(dataDir)
  try {
    await unpack(path, folder)
    requireManifest(folder)
    await rename(databaseIn(folder), home)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function unpack(path: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  try {
    const isOurs = (_: string, entry: { type?: unknown }) =>
      entry.type === 'File' || entry.type === 'Directory'
    const { extract } = await import('tar')
    const unpacked = extract({ cwd: to, strict: true, filter: isOurs as never, preserveOwner: false })
    await pipeline(createReadStream(path), createGunzip(), unpacked as unknown as NodeJS.WritableStream)
  } catch (error) {
    throw new BackupFailure(
      `The file is torn, or is not a backup: ${error instanceof Error ? error.message : error}.`,
    )
  }
}

function requireManifest(folder: string): void {
  const { postgres, format } = manifestIn(folder)
  if (format !== FORMAT)
    throw new BackupFailure(`The backup has the format ${format}, and this Fahrplan reads ${FORMAT}.`)
  if (postgres !== POSTGRES_MAJOR)
    throw new BackupFailure(
      `The backup is of PostgreSQL ${postgres}, and this Fahrplan has PostgreSQL ${POSTGRES_MAJOR}: restore it with the Fahrplan that made it, and take a portable backup there.`,
    )
}

function manifestIn(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
  } catch {
    throw new BackupFailure('The file is not a Fahrplan backup.')
  }
}

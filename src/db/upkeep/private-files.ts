import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The entries of a data directory. A directory that holds anything else is not ours alone, and keeps its permissions. */
const OURS = new Set([
  'admin.sock',
  'database',
  'database.replaced',
  'database.unfinished',
  'demo.json',
  'demo.json.new',
  'holder.json',
  'lock',
  'lock-journal',
  'lost+found',
  'scratch',
])

/** Creates a folder and those above it. Throws if it cannot, also below `/proc`, where Node's recursive `mkdir` never returns. */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  const parent = dirname(resolve(path))
  if (parent !== resolve(path)) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw error
  }
}

/** Keeps everybody but the owner out of a data directory. Throws, with what to do, where this process may not. */
export function closeDataDir(dataDir: string): void {
  if (readdirSync(dataDir).every((name) => OURS.has(name))) close(dataDir)
}

/**
 * Keeps everybody but the owner from the database's files and those beside it. PGlite unpacks a new database with modes of
 * its own, whatever the umask. Throws, with what to do, where this process may not.
 */
export function closeFiles(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (OURS.has(name) && name !== 'lost+found') closeTree(join(dataDir, name))
  }
}

function closeTree(path: string): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  close(path, entry.mode)
  if (entry.isDirectory()) for (const name of readdirSync(path)) closeTree(join(path, name))
}

function close(path: string, mode = lstatSync(path).mode): void {
  // Windows keeps others out by other means.
  if ((mode & 0o077) === 0 || process.platform === 'win32') return
  try {
    chmodSync(path, mode & 0o700)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Others can read ${path}, and this process may not change that: ${reason}. Give the data directory to the user that runs Fahrplan.`,
    )
  }
}

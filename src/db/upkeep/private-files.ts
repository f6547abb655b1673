import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The entries of a data directory. A directory with other entries may be shared and keeps its permissions. */
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

/** Creates a folder and its parents. Throws if it cannot, even below `/proc`, where Node's recursive `mkdir` hangs. */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
    return
  }
  const parent = dirname(resolve(path))
  if (parent !== resolve(path)) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

export function restrictDataDir(dataDir: string): void {
  if (readdirSync(dataDir).every((name) => OURS.has(name))) close(dataDir)
}

/** Restricts the files to their owner: PGlite ignores the umask. Throws, with a remedy, if this process is not allowed to. */
export function restrictFiles(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (OURS.has(name) && name !== 'lost+found') restrictTree(join(dataDir, name))
  }
}

function restrictTree(path: string): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  close(path, entry.mode)
  if (entry.isDirectory()) for (const name of readdirSync(path)) restrictTree(join(path, name))
}

function close(path: string, mode = lstatSync(path).mode): void {
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

import { readDatabaseConfig } from '../config.ts'
import { connectEmbedded } from '../db/connection/connect.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { migrate } from '../db/schema/migrate.ts'
import { listTenants } from '../db/school/tenants.ts'
import { type KnownErasure, listErasures } from '../db/students/erasures.ts'
import { unpackBackup } from '../db/upkeep/backup.ts'
import {
  type DataDir,
  hasDatabase,
  OtherMajor,
  openEmbedded,
  restoreEmbedded,
  takeDataDir,
} from '../db/upkeep/data-dir.ts'
import { requireSpace } from '../db/upkeep/disk-space.ts'
import type { Header } from '../transfer/format.ts'
import { isTransferFile, readHeader } from '../transfer/read-file.ts'
import { CommandFailure, type ProcessCommand, requiredOption, type Terminal } from './command.ts'
import { readErasures, repeatErasures, requireAll } from './erasures.ts'
import { loadFile } from './load-file.ts'
import { openDatabase } from './open-database.ts'

export const restore: ProcessCommand = {
  kind: 'process',
  name: 'restore',
  findsUnitSettings: true,
  summary: 'Restore a backup: into an empty DATA_DIR, or a portable one into an empty PostgreSQL.',
  options: {
    in: { type: 'string', value: 'FILE', help: 'A file written by backup', required: true },
    replace: { type: 'boolean', help: 'Remove the database that is in DATA_DIR' },
    erasures: {
      type: 'string',
      value: 'FILE',
      help: 'Erase again whom the backup brings back: a list written by student erasures',
    },
  },
  run: async ({ env, values, terminal }) => {
    const path = requiredOption(values, 'in')
    const config = readDatabaseConfig(env)
    const erasures = typeof values.erasures === 'string' ? await readErasures(values.erasures) : []
    const header = (await isTransferFile(path)) ? await installationIn(path) : undefined
    const restored = { path, header, erasures, terminal }
    const onHold =
      config.kind === 'embedded'
        ? await intoDataDir(config.dataDir, values.replace === true, restored)
        : await intoServer(config, restored)
    terminal.out(`Restored ${path}. Run doctor to check it.`)
    requireAll(onHold)
  },
}

type Restored = {
  readonly path: string
  readonly header: Header | undefined
  /** The students to erase again. */
  readonly erasures: readonly KnownErasure[]
  readonly terminal: Terminal
}

async function installationIn(path: string): Promise<Header> {
  const header = await readHeader(path)
  if (!header.school) return header
  throw new CommandFailure(
    `The file contains only the school ${header.school.name}. Load it with tenant import.`,
  )
}

/** Restores an embedded database. Returns the number of students whom holds keep from being erased again. */
async function intoDataDir(dataDir: string, mayReplace: boolean, restored: Restored): Promise<number> {
  const held = takeDataDir(dataDir, 'restore')
  try {
    requireSpace(dataDir)
    if (hasDatabase(dataDir) && !mayReplace)
      throw new CommandFailure(`There already is a database in ${dataDir}. Use --replace to remove it.`)
    const report = (error: Error) => restored.terminal.err(error.message)
    const known = hasDatabase(dataDir) ? await erasuresIn(held, restored.terminal) : []
    let onHold = 0
    const make = async (home: string) => {
      onHold = await makeDatabase(dataDir, home, { ...restored, erasures: [...restored.erasures, ...known] })
    }
    await restoreEmbedded(held, make, report)
    return onHold
  } finally {
    held.release()
  }
}

/** Returns the erasures that the database to be replaced knows. One that cannot be read is replaced all the same. */
async function erasuresIn(held: DataDir, { err }: Terminal): Promise<readonly KnownErasure[]> {
  try {
    const db = await openEmbedded(held, ({ message }) => err(message))
    try {
      const ofSchools = (await listTenants(db)).map(({ id }) => listErasures(db, id))
      return (await Promise.all(ofSchools)).flat()
    } finally {
      await db.destroy()
    }
  } catch (error) {
    const reason = error instanceof OtherMajor ? `it is of PostgreSQL ${error.major}` : `${error}`
    err(
      `The erasures of the replaced database cannot be read: ${reason}. Unless --erasures FILE lists them, they are not repeated.`,
    )
    return []
  }
}

async function makeDatabase(dataDir: string, home: string, restored: Restored): Promise<number> {
  const { path, header, erasures, terminal } = restored
  if (!header) await unpackBackup(path, dataDir, home)
  if (!header && erasures.length === 0) return 0
  const db = await connectEmbedded(home, (error) => terminal.err(error.message))
  try {
    await migrate(db)
    await load(db, restored, dataDir)
    return erasures.length > 0 ? await repeatErasures(db, erasures, terminal) : 0
  } finally {
    await db.destroy()
  }
}

async function intoServer(
  config: Extract<ReturnType<typeof readDatabaseConfig>, { kind: 'postgres' }>,
  restored: Restored,
): Promise<number> {
  const { header, erasures, terminal } = restored
  if (!header)
    throw new CommandFailure('The file is a backup of an embedded database: PostgreSQL needs a portable one.')
  const report = (error: Error) => terminal.err(error.message)
  const opening = { command: 'restore', makesDatabase: true, report, progress: terminal.err }
  const { db, asOwner = (work) => work(db), close } = await openDatabase(config, opening)
  try {
    await load(db, restored)
    return erasures.length > 0 ? await asOwner((owner) => repeatErasures(owner, erasures, terminal)) : 0
  } finally {
    await close()
  }
}

async function load(db: DatabasePool, { path, header, terminal }: Restored, dataDir?: string): Promise<void> {
  if (header) await loadFile(db, header, { path, terminal, dataDir })
}

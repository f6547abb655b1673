import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/cli/open-database.ts'
import { connectForMaintenance } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Dataset, fill } from './dataset.ts'
import { postgresPid, type Server, startServer } from './process.ts'

export const DATABASES = ['postgres', 'embedded'] as const
export type DatabaseKind = (typeof DATABASES)[number]

/** The service and, on the same data, the floor. */
export type Stack = {
  readonly kind: DatabaseKind
  readonly dataset: Dataset
  readonly service: Server
  readonly floor: Server
  /** The database server, where it is a process of its own on this machine. */
  readonly databasePid: number | undefined
  readonly stop: () => Promise<void>
}

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const REFRESH_TOKENS = 60_000

/** Fills a database and starts both servers on it: on `DATABASE_URL` or a PostgreSQL of its own, or embedded. */
export function startStack(kind: DatabaseKind): Promise<Stack> {
  return kind === 'postgres' ? startOnPostgres() : startEmbedded()
}

async function startOnPostgres(): Promise<Stack> {
  const postgres = process.env.DATABASE_URL ? undefined : await startPostgres()
  const url = process.env.DATABASE_URL ?? postgres?.url ?? ''
  const db = connectForMaintenance(url, () => undefined)
  await migrate(db)
  const dataset = await fill(db, REFRESH_TOKENS)
  await db.destroy()
  const service = await startService({ DATABASE_URL: url })
  const floor = await startServer(['bench/floor.ts'], { DATABASE_URL: url })
  const stop = async () => {
    await Promise.all([service.stop(), floor.stop()])
    await postgres?.stop()
  }
  return { kind: 'postgres', dataset, service, floor, databasePid: await postgresPid(url), stop }
}

/** Nobody else can be on the directory of an embedded database: the floor has a copy. */
async function startEmbedded(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
  const dataDir = join(folder, 'service')
  const opening = { command: 'bench', report: () => undefined, progress: () => undefined }
  const { db, close } = await openDatabase({ kind: 'embedded', dataDir }, opening)
  const dataset = await fill(db, REFRESH_TOKENS / 3)
  await close()
  cpSync(join(dataDir, 'database'), join(folder, 'floor'), { recursive: true })
  const service = await startService({ DATA_DIR: dataDir, DATABASE_URL: '' })
  const floor = await startServer(['bench/floor.ts'], { DATA_DIR: join(folder, 'floor'), DATABASE_URL: '' })
  const stop = async () => {
    await Promise.all([service.stop(), floor.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  return { kind: 'embedded', dataset, service, floor, databasePid: undefined, stop }
}

function startService(database: Readonly<Record<string, string>>): Promise<Server> {
  return startServer(['--max-semi-space-size=8', 'bin/fahrplan.js', 'serve'], {
    ...database,
    JWT_SECRET,
    PORT: '0',
  })
}

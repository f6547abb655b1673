import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import type { Dataset } from './dataset.ts'
import { postgresPid, type Server } from './process.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

export const DATABASES = ['postgres', 'embedded'] as const
export type DatabaseKind = (typeof DATABASES)[number]

/** A service and what its database was filled with. */
export type Side = { readonly server: Server; readonly dataset: Dataset }

/** The service and, on the same data, the floor; another checkout of the service beside them, if one is asked for. */
export type Stack = {
  readonly kind: DatabaseKind
  readonly service: Side
  readonly floor: Server
  readonly beside: Side | undefined
  /** The database server, where it is a process of its own on this machine. */
  readonly databasePid: number | undefined
  readonly stop: () => Promise<void>
}

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const REFRESH_TOKENS = 60_000

/**
 * Fills a database and starts both servers on it: on `DATABASE_URL` or a PostgreSQL of its own, or embedded. The checkout
 * in the folder `beside` gets a database of its own, on the same PostgreSQL.
 */
export async function startStack(kind: DatabaseKind, beside?: string): Promise<Stack> {
  const undo: Undo = []
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  const start = kind === 'postgres' ? startOnPostgres : startEmbedded
  try {
    const other = beside === undefined ? undefined : checkoutIn(beside)
    return { kind, ...(await start(undo, checkoutIn(HERE), other)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Parts = Omit<Stack, 'kind' | 'stop'>

async function startOnPostgres(undo: Undo, here: Checkout, other?: Checkout): Promise<Parts> {
  const url = await startEmptyPostgres(undo)
  const side = async (checkout: Checkout, address: string): Promise<Side> => {
    const dataset = await fillPostgres(checkout, address)
    return { dataset, server: await serve(undo, checkout, { DATABASE_URL: address }) }
  }
  const service = await side(here, url)
  const floor = await here.start(['bench/floor.ts'], { DATABASE_URL: url })
  undo.push(floor.stop)
  const beside =
    other && (await side(other, await anotherDatabase(undo, url, `fahrplan_beside_${process.pid}`)))
  return { service, floor, beside, databasePid: await postgresPid(url) }
}

async function fillPostgres(checkout: Checkout, url: string): Promise<Dataset> {
  const { connectForMaintenance } =
    await checkout.load<typeof import('../src/db/connect.ts')>('src/db/connect.ts')
  const { migrate } = await checkout.load<typeof import('../src/db/migrate.ts')>('src/db/migrate.ts')
  const db = connectForMaintenance(url, () => undefined)
  await migrate(db)
  const dataset = await (await dataOf(checkout)).fill(db, REFRESH_TOKENS)
  await db.destroy()
  return dataset
}

/** Nobody else can be on the directory of an embedded database: the floor has a copy. */
async function startEmbedded(undo: Undo, here: Checkout, other?: Checkout): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const side = async (checkout: Checkout, dataDir: string, onFilled = () => {}): Promise<Side> => {
    const dataset = await fillEmbedded(checkout, dataDir)
    onFilled()
    return { dataset, server: await serve(undo, checkout, { DATA_DIR: dataDir, DATABASE_URL: '' }) }
  }
  const own = join(folder, 'service')
  const copy = () => cpSync(join(own, 'database'), join(folder, 'floor'), { recursive: true })
  const service = await side(here, own, copy)
  const floor = await here.start(['bench/floor.ts'], { DATA_DIR: join(folder, 'floor'), DATABASE_URL: '' })
  undo.push(floor.stop)
  const beside = other && (await side(other, join(folder, 'beside')))
  return { service, floor, beside, databasePid: undefined }
}

async function fillEmbedded(checkout: Checkout, dataDir: string): Promise<Dataset> {
  const { openDatabase } =
    await checkout.load<typeof import('../src/cli/open-database.ts')>('src/cli/open-database.ts')
  const opening = { command: 'bench', report: () => undefined, progress: () => undefined }
  const { db, close } = await openDatabase({ kind: 'embedded', dataDir }, opening)
  const dataset = await (await dataOf(checkout)).fill(db, REFRESH_TOKENS / 3)
  await close()
  return dataset
}

function dataOf(checkout: Checkout) {
  return checkout.load<typeof import('./dataset.ts')>('bench/dataset.ts')
}

async function serve(
  undo: Undo,
  checkout: Checkout,
  database: Readonly<Record<string, string>>,
): Promise<Server> {
  const server = await checkout.start(['--max-semi-space-size=8', 'bin/fahrplan.js', 'serve'], {
    ...database,
    JWT_SECRET,
    PORT: '0',
  })
  undo.push(server.stop)
  return server
}

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import { makeSpreadDatabase, nodesOf } from './citus.ts'
import type { Dataset } from './dataset.ts'
import { fartherAway } from './far-server.ts'
import { postgresPid, type Server } from './process.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

export const USUAL_DATABASES = ['postgres', 'embedded'] as const
export const DATABASES = [...USUAL_DATABASES, 'citus'] as const
export type DatabaseKind = (typeof DATABASES)[number]

export type Side = { readonly server: Server; readonly dataset: Dataset }

export type Stack = {
  readonly kind: DatabaseKind
  readonly service: Side
  readonly floor: Side
  readonly beside: Side | undefined
  /** The process ids of the database servers on this machine. */
  readonly databasePids: readonly number[]
  readonly stop: () => Promise<void>
}

/** The folder of another checkout, and the delay of PostgreSQL's responses in milliseconds. */
export type Options = { readonly beside?: string | undefined; readonly away?: number }

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const REFRESH_TOKENS = 60_000

/**
 * Fills a database and starts both servers on it: at `DATABASE_URL`, on a new PostgreSQL, embedded, or at `CITUS_URL`, where
 * the floor and the other checkout (by default this one) use an undistributed database of the coordinator.
 */
export async function startStack(kind: DatabaseKind, { beside, away = 0 }: Options = {}): Promise<Stack> {
  const undo: Undo = []
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  const start = STARTS[kind]
  try {
    const other = beside === undefined ? undefined : checkoutIn(beside)
    return { kind, ...(await start(undo, { here: checkoutIn(HERE), other, away })), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Parts = Omit<Stack, 'kind' | 'stop'>

type Sides = { readonly here: Checkout; readonly other: Checkout | undefined; readonly away: number }

const STARTS = { postgres: startOnPostgres, embedded: startEmbedded, citus: startOnCitus }

async function startOnPostgres(undo: Undo, { here, other, away }: Sides): Promise<Parts> {
  const near = await startEmptyPostgres(undo)
  const url = away > 0 ? await fartherAway(undo, near, away) : near
  const service = await sideOn(undo, here, url)
  const floor = await startFloor(undo, here, service.dataset, { DATABASE_URL: url })
  const beside =
    other && (await sideOn(undo, other, await anotherDatabase(undo, url, `fahrplan_beside_${process.pid}`)))
  return { service, floor, beside, databasePids: await postgresPids([near]) }
}

async function startOnCitus(undo: Undo, { here, other = here }: Sides): Promise<Parts> {
  const { coordinator, spread } = await makeSpreadDatabase(undo)
  const plain = await anotherDatabase(undo, coordinator, `fahrplan_beside_${process.pid}`)
  const service = await sideOn(undo, here, spread)
  const beside = await sideOn(undo, other, plain)
  const floor = await startFloor(undo, here, beside.dataset, { DATABASE_URL: plain })
  return { service, floor, beside, databasePids: await postgresPids(await nodesOf(coordinator)) }
}

async function sideOn(undo: Undo, checkout: Checkout, address: string): Promise<Side> {
  const dataset = await fillPostgres(checkout, address)
  return { dataset, server: await serve(undo, checkout, { DATABASE_URL: address }) }
}

type Database = Readonly<Record<string, string>>

async function startFloor(undo: Undo, { start }: Checkout, dataset: Dataset, on: Database): Promise<Side> {
  const server = await start(['bench/floor.ts'], on)
  undo.push(server.stop)
  return { dataset, server }
}

async function postgresPids(urls: readonly string[]): Promise<readonly number[]> {
  const pids = await Promise.all(urls.map(postgresPid))
  return pids.filter((pid) => pid !== undefined)
}

async function fillPostgres(checkout: Checkout, url: string): Promise<Dataset> {
  const { connectForMaintenance } = await checkout.load<typeof import('../src/db/connection/connect.ts')>(
    'src/db/connection/connect.ts',
  )
  const { migrate } =
    await checkout.load<typeof import('../src/db/schema/migrate.ts')>('src/db/schema/migrate.ts')
  const db = connectForMaintenance(url, () => undefined)
  await migrate(db)
  const dataset = await (await dataOf(checkout)).fill(db, REFRESH_TOKENS)
  await db.destroy()
  return dataset
}

/** Starts on embedded databases. Only one process can use a directory, so the floor has a copy. */
async function startEmbedded(undo: Undo, { here, other }: Sides): Promise<Parts> {
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
  const floor = await startFloor(undo, here, service.dataset, {
    DATA_DIR: join(folder, 'floor'),
    DATABASE_URL: '',
  })
  const beside = other && (await side(other, join(folder, 'beside')))
  return { service, floor, beside, databasePids: [] }
}

async function fillEmbedded(checkout: Checkout, dataDir: string): Promise<Dataset> {
  const { openDatabase } =
    await checkout.load<typeof import('../src/cli/open-database.ts')>('src/cli/open-database.ts')
  const opening = {
    command: 'bench',
    report: () => undefined,
    makesDatabase: true,
    progress: () => undefined,
  }
  const { db, close } = await openDatabase({ kind: 'embedded', dataDir }, opening)
  const dataset = await (await dataOf(checkout)).fill(db, REFRESH_TOKENS / 3)
  await close()
  return dataset
}

function dataOf(checkout: Checkout) {
  return checkout.load<typeof import('./dataset.ts')>('bench/dataset.ts')
}

async function serve(undo: Undo, checkout: Checkout, database: Database): Promise<Server> {
  const server = await checkout.serve({
    ...database,
    JWT_SECRET,
    PORT: '0',
  })
  undo.push(server.stop)
  return server
}

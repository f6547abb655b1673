import { parseArgs } from 'node:util'
import pg from 'pg'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { makePair, type Pair } from '../test/support/server-pair.ts'
import { type Dataset, EMAIL, fill, PASSWORD } from './dataset.ts'
import { askOnce, load, type WireRequest } from './http-load.ts'
import { operationsOn } from './operations.ts'
import { cpuSeconds, postgresPid, startServer } from './process.ts'
import type { Undo } from './servers.ts'

/** Measures how much load a standby that serves lists could take off a primary, and how far it lags. Options: --seconds N */
const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } })
const SECONDS = Number(options.seconds)
const CONNECTIONS = 16
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

const PROGRESS = 'students (500) with progress'

/** The primary's position, which bounds every write that a response could depend on. */
const POSITION = { name: 'position', text: 'select pg_current_wal_flush_lsn()::text as at' }
const REPLAYED = { name: 'replayed', text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there' }

/** A request with its hourly frequency on a board in use; a standby could serve a list. */
type ReadOptions = {
  readonly name: string
  readonly anHour: number
  readonly isList?: boolean
  readonly next: () => WireRequest
}

const undo: Undo = []
try {
  await bench()
} finally {
  for (const one of undo.toReversed()) await one()
}

async function bench(): Promise<void> {
  const pair = await makePair()
  undo.push(pair.remove)
  await pair.north.run('alone.sql')
  const db = connectForMaintenance(pair.north.url, console.error)
  await migrate(db)
  const dataset = await fill(db, 0)
  await db.destroy()
  const server = await startServer(['bin/fahrplan.js', 'serve'], {
    DATABASE_URL: pair.north.url,
    JWT_SECRET,
    PORT: '0',
  })
  undo.push(server.stop)
  const questions = await questionsOn(server.port, dataset)
  await costs(server.port, pair, questions, server.pid)
  await lateness(server.port, pair, questions)
}

async function questionsOn(port: number, dataset: Dataset): Promise<readonly ReadOptions[]> {
  const login = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const { token } = JSON.parse(
    (await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body: login })).body,
  )
  const get = (path: string) => (): WireRequest => ({
    method: 'GET',
    path: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const position = JSON.parse((await askOnce(port, get('/changes/since')())).body)
  const known = new Map(operationsOn(dataset, token).map((one) => [one.name, one.service]))
  const write = (name: string) => known.get(name) ?? get('/')
  return [
    {
      name: 'changes since',
      anHour: 900,
      next: get(`/changes/since?cursor=${encodeURIComponent(position.cursor)}`),
    },
    { name: 'book', anHour: 20, next: write('book') },
    { name: 'change', anHour: 20, next: write('change') },
    { name: 'refused', anHour: 40, next: write('refused: overlap') },
    { name: 'bootstrap', anHour: 2, next: get('/bootstrap') },
    {
      name: 'week list (100)',
      anHour: 60,
      isList: true,
      next: get('/appointments?from=2029-05-07&to=2029-05-13'),
    },
    { name: 'students (500)', anHour: 4, isList: true, next: get('/students') },
    { name: PROGRESS, anHour: 2, isList: true, next: get('/students?with=progress') },
    { name: 'changes, newest 100', anHour: 4, isList: true, next: get('/changes?limit=100') },
  ]
}

type Cost = { readonly name: string; readonly database: number; readonly service: number }

/** Prints the processor milliseconds of primary and service per request. */
async function costs(
  port: number,
  pair: Pair,
  questions: readonly ReadOptions[],
  service: number,
): Promise<void> {
  const primary = await postgresPid(pair.north.url)
  if (primary === undefined) throw new Error('the processor time of PostgreSQL cannot be measured here')
  const spent = () => [cpuSeconds(primary), cpuSeconds(service)] as const
  const measured = async (name: string, work: () => Promise<number>): Promise<Cost> => {
    const before = spent()
    const count = await work()
    const after = spent()
    return {
      name,
      database: ((after[0] - before[0]) * 1000) / count,
      service: ((after[1] - before[1]) * 1000) / count,
    }
  }
  const all: (Cost & ReadOptions)[] = []
  for (const question of questions) {
    const plan = { port, connections: CONNECTIONS, next: question.next }
    await load({ ...plan, seconds: 1 })
    const work = async () => (await load({ ...plan, seconds: SECONDS })).count
    all.push({ ...question, ...(await measured(question.name, work)) })
  }
  // The processor time of a backend is known only while it runs.
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(pair.north.url)))
  const position = await measured('the position', () => askPosition(clients))
  await Promise.all(clients.map((client) => client.end()))
  print(all, position)
}

function print(all: readonly (Cost & ReadOptions)[], position: Cost): void {
  const sum = (some: readonly (Cost & ReadOptions)[]) =>
    some.reduce((total, { anHour, database }) => total + anHour * database, 0)
  console.log('| | an hour | primary ms | service ms | of the hour |\n|---|---:|---:|---:|---:|')
  for (const { name, anHour, database, service } of all) {
    const share = (100 * anHour * database) / sum(all)
    console.log(
      `| ${name} | ${anHour} | ${database.toFixed(2)} | ${service.toFixed(2)} | ${share.toFixed(0)} % |`,
    )
  }
  console.log(`The position alone: ${position.database.toFixed(3)} ms of the primary.`)
  for (const some of [all, all.filter(({ name }) => name !== PROGRESS)]) {
    const lists = some.filter(({ isList }) => isList)
    const stays = lists.reduce((total, { anHour }) => total + anHour * position.database, 0)
    const saved = (sum(lists) - stays) / sum(some)
    console.log(
      `Lists from a standby take ${(100 * saved).toFixed(0)} % off the primary (${lists.length} lists).`,
    )
  }
}

async function askPosition(clients: readonly pg.Client[]): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  let count = 0
  const ask = async (client: pg.Client) => {
    for (; performance.now() < end; count += 1) await client.query(POSITION)
  }
  await Promise.all(clients.map(ask))
  return count
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** Measures during bookings how often a standby is up to date on the first query, and otherwise how long it takes. */
async function lateness(
  port: number,
  { north, south }: Pair,
  questions: readonly ReadOptions[],
): Promise<void> {
  const next = questions.find(({ name }) => name === 'book')?.next
  if (!next) throw new Error('nothing to book')
  for (const connections of [1, CONNECTIONS]) {
    const [primary, standby] = [await connected(north.url), await connected(south.url)]
    const waits: number[] = []
    let isOver = false
    const watch = async () => {
      while (!isOver) {
        const { rows } = await primary.query(POSITION)
        waits.push(await waitFor(standby, rows[0].at))
      }
    }
    const watching = watch()
    const { perSecond } = await load({ port, connections, seconds: SECONDS * 2, next })
    isOver = true
    await watching
    await Promise.all([primary.end(), standby.end()])
    const atOnce = waits.filter((wait) => wait === 0).length / waits.length
    const sorted = waits.toSorted((one, other) => one - other)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
    console.log(
      `${perSecond.toFixed(0)} bookings a second: at once ${(100 * atOnce).toFixed(0)} % of ${waits.length}, else p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    )
  }
}

/** Returns the milliseconds until the standby has replayed up to a position. */
async function waitFor(standby: pg.Client, position: string): Promise<number> {
  const asked = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await standby.query({ ...REPLAYED, values: [position] })
    if (rows[0].is_there) return isFirst ? 0 : performance.now() - asked
  }
}

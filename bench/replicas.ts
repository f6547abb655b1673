import { parseArgs } from 'node:util'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import {
  configured,
  type Daemon,
  type PoolMode,
  startNginx,
  startPgbouncer,
} from '../test/replicas/daemons.ts'
import { throughPgbouncer } from '../test/replicas/pooled-address.ts'
import { execute } from '../test/support/postgres-database.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { EMAIL, fill, PASSWORD } from './dataset.ts'
import { askOnce, load } from './http-load.ts'
import { median } from './median.ts'
import { OPERATION_NAMES, type Operation, operationsOn } from './operations.ts'
import { cpuSeconds, postgresPid, startServer } from './process.ts'
import { requireKnown } from './require-known.ts'

/** Compares one process, two behind nginx, and two behind nginx and pgbouncer, in turn. Options: --rounds N --seconds N */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'book,week list (100)' },
  },
})
const NAMES = options.only.split(',')
requireKnown('only', NAMES, OPERATION_NAMES)
const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const CONNECTIONS = 16
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

type Setup = {
  readonly name: string
  readonly port: number
  readonly parts: Readonly<Record<'service' | 'nginx' | 'pgbouncer', readonly number[]>>
}

type Round = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly cpu: Cpu }
/** Milliseconds of processor time per request. */
type Cpu = Readonly<Record<string, number>>

const undo: (() => Promise<void>)[] = []
try {
  await bench()
} finally {
  for (const one of undo.toReversed()) await one()
}

async function bench(): Promise<void> {
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  const database = await postgresPid(postgres.url)
  const db = connectForMaintenance(postgres.url, () => undefined)
  await migrate(db)
  const dataset = await fill(db, 0)
  await db.destroy()
  await execute(postgres.url, configured('replicas/settings.sql', {}))
  const setups = [
    await onePart(postgres.url),
    await twoBehindNginx('two, nginx', { DATABASE_URL: postgres.url }),
    await twoBehindPgbouncer(postgres.url, 'session'),
    await twoBehindPgbouncer(postgres.url, 'transaction'),
  ]
  const token = await logIn(setups[0]?.port ?? 0)
  for (const operation of operationsOn(dataset, token).filter(({ name }) => NAMES.includes(name))) {
    console.log(`\n${operation.name}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s`)
    console.log(tableOf(await measure(operation, setups, database)))
  }
}

async function onePart(url: string): Promise<Setup> {
  const server = await serve({ DATABASE_URL: url })
  return {
    name: 'one, direct',
    port: server.port,
    parts: { service: [server.pid], nginx: [], pgbouncer: [] },
  }
}

async function twoBehindNginx(
  name: string,
  env: Readonly<Record<string, string>>,
  pgbouncer?: Daemon,
): Promise<Setup> {
  const [first, second] = [await serve(env), await serve(env)]
  const nginx = await startNginx([first.port, second.port])
  undo.push(nginx.stop)
  const parts = {
    service: [first.pid, second.pid],
    nginx: [nginx.pid],
    pgbouncer: pgbouncer ? [pgbouncer.pid] : [],
  }
  return { name, port: nginx.port, parts }
}

async function twoBehindPgbouncer(url: string, mode: PoolMode): Promise<Setup> {
  const pgbouncer = await startPgbouncer(url, mode)
  undo.push(pgbouncer.stop)
  const env = {
    DATABASE_URL: throughPgbouncer(url, pgbouncer),
    MIGRATION_DATABASE_URL: url,
    DATABASE_NAMED_STATEMENTS: mode === 'session' ? 'on' : 'off',
  }
  return twoBehindNginx(`two, nginx, pgbouncer (${mode})`, env, pgbouncer)
}

async function serve(env: Readonly<Record<string, string>>) {
  const server = await startServer(['bin/fahrplan.js', 'serve'], { JWT_SECRET, PORT: '0', ...env })
  undo.push(server.stop)
  return server
}

async function logIn(port: number): Promise<string> {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const answer = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body })
  return JSON.parse(answer.body).token
}

async function measure(
  operation: Operation,
  setups: readonly Setup[],
  database: number | undefined,
): Promise<Map<string, Round[]>> {
  const rounds = new Map(setups.map(({ name }) => [name, [] as Round[]]))
  for (const setup of setups) await round(operation, setup, database, 1)
  for (let count = 0; count < ROUNDS; count += 1) {
    for (const setup of setups) rounds.get(setup.name)?.push(await round(operation, setup, database, SECONDS))
  }
  return rounds
}

async function round(
  { name, status, service: next }: Operation,
  { port, parts }: Setup,
  database: number | undefined,
  seconds: number,
): Promise<Round> {
  const pids = { ...parts, database: database ? [database] : [], load: [process.pid] }
  const spent = () => Object.values(pids).map((some) => some.reduce((sum, pid) => sum + cpuSeconds(pid), 0))
  const before = spent()
  const { perSecond, p50, p99, answers } = await load({ port, connections: CONNECTIONS, seconds, next })
  const after = spent()
  const requests = Object.values(answers).reduce((sum, count) => sum + count, 0)
  if (answers[status] !== requests) throw new Error(`${name} returned ${JSON.stringify(answers)}`)
  const cpu = Object.keys(pids).map(
    (part, index) => [part, (((after[index] ?? 0) - (before[index] ?? 0)) * 1000) / requests] as const,
  )
  return { perSecond, p50, p99, cpu: Object.fromEntries(cpu) }
}

function tableOf(rounds: ReadonlyMap<string, readonly Round[]>): string {
  const parts = ['service', 'nginx', 'pgbouncer', 'database', 'load'] as const
  const base = median([...rounds.values()][0]?.map(({ perSecond }) => perSecond) ?? [])
  const head = `| | /s | of one | p50 ms | p99 ms | ${parts.map((part) => `${part} cpu ms`).join(' | ')} |`
  const rows = [...rounds].map(([name, all]) => {
    const perSecond = median(all.map((one) => one.perSecond))
    const cells = [
      perSecond.toFixed(0),
      (perSecond / base).toFixed(2),
      median(all.map((one) => one.p50)).toFixed(1),
      median(all.map((one) => one.p99)).toFixed(1),
      ...parts.map((part) => median(all.map(({ cpu }) => cpu[part] ?? 0)).toFixed(3)),
    ]
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return [head, `|---|${'---:|'.repeat(parts.length + 4)}`, ...rows].join('\n')
}

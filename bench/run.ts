import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { connectForMaintenance } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Dataset, EMAIL, fill, PASSWORD } from './dataset.ts'
import { askOnce, type Load, load } from './http-load.ts'
import { type Operation, operationsOn } from './operations.ts'
import { cpuSeconds, postgresPid, residentMegabytes, type Server, startServer } from './process.ts'
import { type Measured, table } from './report.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
  },
})

const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const WARM_UP_SECONDS = 1
const CONNECTIONS = (process.env.CC ?? '1,16').split(',').map(Number)
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

const postgres = process.env.DATABASE_URL ? undefined : await startPostgres()
const url = process.env.DATABASE_URL ?? postgres?.url ?? ''
const database = await postgresPid(url)
try {
  await bench(await prepare())
} finally {
  await postgres?.stop()
}

async function prepare(): Promise<Dataset> {
  const db = connectForMaintenance(url, () => undefined)
  await migrate(db)
  const dataset = await fill(db, 60_000)
  await db.destroy()
  return dataset
}

/** Service and floor are measured in turn, in the same run, so that a noisy machine is as noisy for both. */
async function bench(dataset: Dataset): Promise<void> {
  const service = await startServer(['bin/fahrplan.js', 'serve'], {
    DATABASE_URL: url,
    JWT_SECRET,
    PORT: '0',
  })
  const floor = await startServer(['bench/floor.ts'], { DATABASE_URL: url })
  const idle = residentMegabytes(service.pid)
  const operations = operationsOn(dataset, await logIn(service)).filter(
    ({ name }) => !options.only || name.includes(options.only),
  )
  const measured: Measured[] = []
  for (const operation of operations) {
    for (const connections of CONNECTIONS)
      measured.push(await measure(operation, connections, { service, floor }))
    process.stderr.write(`${operation.name} …\n`)
  }
  const memory = { idle, loaded: residentMegabytes(service.pid) }
  console.log(table(measured, { memory, startMs: service.startMs }))
  if (options.json)
    writeFileSync(
      options.json,
      `${JSON.stringify({ measured, memory, startMs: service.startMs }, null, 2)}\n`,
    )
  await service.stop()
  await floor.stop()
}

async function logIn(service: Server): Promise<string> {
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const answer = await askOnce(service.port, { method: 'POST', path: '/api/v1/auth/login', body })
  return JSON.parse(answer.body).token
}

async function measure(
  operation: Operation,
  connections: number,
  { service, floor }: { service: Server; floor: Server },
): Promise<Measured> {
  const rounds: { service: Round; floor: Round }[] = []
  await round(service, operation.service, connections, WARM_UP_SECONDS)
  await round(floor, operation.floor, connections, WARM_UP_SECONDS)
  for (let count = 0; count < ROUNDS; count += 1) {
    rounds.push({
      service: await round(service, operation.service, connections, SECONDS),
      floor: await round(floor, operation.floor, connections, SECONDS),
    })
  }
  if (process.env.DBG)
    console.error(
      rounds
        .map((r) =>
          [
            r.service.load.perSecond.toFixed(0),
            r.floor.load.perSecond.toFixed(0),
            r.service.cpuPerRequestMs.toFixed(3),
            r.service.databaseCpuPerRequestMs.toFixed(3),
          ].join(' '),
        )
        .join('\n'),
    )
  for (const { service: one } of rounds) requireStatus(operation, one.load)
  return {
    name: operation.name,
    connections,
    target: connections === 16 ? operation.target : undefined,
    ratio: median(rounds.map((one) => one.service.load.perSecond / one.floor.load.perSecond)),
    service: summary(rounds.map((one) => one.service)),
    floor: summary(rounds.map((one) => one.floor)),
  }
}

type Round = {
  readonly load: Load
  readonly cpuPerRequestMs: number
  readonly databaseCpuPerRequestMs: number
}

async function round(
  server: Server,
  next: Operation['service'],
  connections: number,
  seconds: number,
): Promise<Round> {
  const before = [server.pid, database].map(cpuSeconds)
  const result = await load({ port: server.port, connections, seconds, next })
  const [cpuPerRequestMs = 0, databaseCpuPerRequestMs = 0] = [server.pid, database].map(
    (pid, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) * 1000) / (result.perSecond * seconds),
  )
  return { load: result, cpuPerRequestMs, databaseCpuPerRequestMs }
}

function requireStatus(operation: Operation, { answers }: Load): void {
  const others = Object.keys(answers).filter((status) => Number(status) !== operation.status)
  if (others.length > 0) throw new Error(`${operation.name} was answered ${JSON.stringify(answers)}`)
}

function summary(rounds: readonly Round[]) {
  return {
    perSecond: median(rounds.map((one) => one.load.perSecond)),
    p50: median(rounds.map((one) => one.load.p50)),
    p99: median(rounds.map((one) => one.load.p99)),
    bytes: rounds[0]?.load.bytes ?? 0,
    cpuPerRequestMs: median(rounds.map((one) => one.cpuPerRequestMs)),
    databaseCpuPerRequestMs: median(rounds.map((one) => one.databaseCpuPerRequestMs)),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

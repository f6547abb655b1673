import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { type Extent, foundSchools, writeHistory } from '../test/support/history.ts'
import { whileBare } from './bare-table.ts'
import { type Databases, databasesOnCitus, databasesOnPostgres } from './growth-databases.ts'
import { type GrowthRow, growthTable } from './growth-report.ts'
import { type GrowthOperation, growthOperations } from './growth-requests.ts'
import { load } from './http-load.ts'
import { median } from './median.ts'
import { type Server, startServer } from './process.ts'
import { progress } from './progress.ts'

const SIZES: Readonly<Record<string, Extent>> = {
  '1k': { schools: 1, weeks: 10 },
  '100k': { schools: 100, weeks: 10 },
  '1M': { schools: 1000, weeks: 10 },
  '10M': { schools: 1000, weeks: 100 },
}
const BASE = '100k'
/** No operation may take longer than this on the largest size, compared with the base. */
const LIMIT = 1.3
const WARM_UP_SECONDS = 1

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1k,100k,1M' },
    'ten-million': { type: 'boolean', default: false },
    database: { type: 'string', default: 'postgres' },
    json: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
  },
})
const sizes = Object.keys(SIZES).filter((size) => asked().has(size))

type Subject = {
  readonly size: string
  readonly service: Server
  readonly operations: readonly GrowthOperation[]
}

const databases = await open(options.database)
try {
  await bench()
} finally {
  for (const size of sizes) await databases.drop(size)
  await databases.stop()
}

function open(kind: string): Promise<Databases> {
  if (kind === 'postgres') return databasesOnPostgres()
  if (kind === 'citus') return databasesOnCitus()
  throw new Error('--database is postgres or citus.')
}

function asked(): ReadonlySet<string> {
  const names = new Set([...options.sizes.split(','), ...(options['ten-million'] ? ['10M'] : [])])
  const unknown = [...names].filter((name) => !SIZES[name])
  if (unknown.length > 0 || !names.has(BASE))
    throw new Error(`--sizes must be some of ${Object.keys(SIZES).join(', ')}, including ${BASE}.`)
  return names
}

async function bench(): Promise<void> {
  const subjects: Subject[] = []
  try {
    for (const size of sizes) await prepare(size)
    for (const size of sizes) subjects.push(await start(size))
    const rows = await measure(subjects)
    console.log(growthTable(rows, sizes, BASE))
    if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`)
    judge(rows)
  } finally {
    for (const { service } of subjects) await service.stop()
  }
}

async function prepare(size: string): Promise<void> {
  const { schools, weeks } = SIZES[size] ?? { schools: 0, weeks: 0 }
  await databases.make(size)
  const db = connectForMaintenance(databases.addressOf(size), reportLost)
  await migrate(db)
  await sql`set maintenance_work_mem = '512MB'`.execute(db)
  await foundSchools(db, { count: schools }, progress(`${size}: schools`, schools))
  const onWritten = progress(`${size}: lessons`, weeks)
  const onMade = (name: string, made: number, of: number) => progress(`${size}: ${name}`, of)(made)
  const fill = () => writeHistory(db, { weeks, isLogged: true }, onWritten)
  await whileBare(db, 'appointments', {
    fill: () => whileBare(db, 'changes', { fill, onMade }),
    onMade,
  })
  await databases.settle(db)
  await db.destroy()
}

async function start(size: string): Promise<Subject> {
  const env = {
    DATABASE_URL: databases.addressOf(size),
    JWT_SECRET: 'the secret of the bench has more than 256 bits',
    PORT: '0',
  }
  const service = await startServer(['bin/fahrplan.js', 'serve'], env)
  return { size, service, operations: await growthOperations(service.port, SIZES[size]?.schools ?? 0) }
}

async function measure(subjects: readonly Subject[]): Promise<readonly GrowthRow[]> {
  const names = subjects[0]?.operations.map(({ name }) => name) ?? []
  const rounds = Number(options.rounds)
  const onMeasured = progress('measuring', names.length * (rounds + 1))
  const rows: GrowthRow[] = []
  for (const [index, name] of names.entries()) {
    await takeRound(subjects, index, WARM_UP_SECONDS)
    const measured: Record<string, number>[] = []
    for (let round = 0; round < rounds; round += 1) {
      measured.push(await takeRound(subjects, index, Number(options.seconds)))
      onMeasured(index * (rounds + 1) + round + 2)
    }
    const medians = (of: (round: Record<string, number>, size: string) => number) =>
      Object.fromEntries(sizes.map((size) => [size, median(measured.map((round) => of(round, size)))]))
    rows.push({
      name,
      p50: medians((round, size) => round[size] ?? 0),
      ratio: medians((round, size) => (round[size] ?? 0) / (round[BASE] ?? 0)),
    })
  }
  return rows
}

async function takeRound(
  subjects: readonly Subject[],
  index: number,
  seconds: number,
): Promise<Record<string, number>> {
  const times: Record<string, number> = {}
  for (const { size, service, operations } of subjects) {
    const operation = operations[index]
    if (!operation) throw new Error('no operation')
    const { p50, answers } = await load({
      port: service.port,
      connections: 1,
      seconds,
      next: operation.next,
    })
    if (Object.keys(answers).some((status) => Number(status) !== operation.status))
      throw new Error(`${operation.name} on ${size} returned ${JSON.stringify(answers)}`)
    times[size] = p50
  }
  return times
}

function judge(rows: readonly GrowthRow[]): void {
  const largest = sizes.at(-1) ?? BASE
  for (const { name, ratio } of rows.filter((row) => (row.ratio[largest] ?? 0) > LIMIT)) {
    console.error(`${name} takes ${ratio[largest]?.toFixed(2)} times as long on ${largest} as on ${BASE}.`)
    process.exitCode = 1
  }
}

function reportLost(error: Error): void {
  console.error('lost connection', error.message)
}

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { anEmail, tenantCreate, userCreate } from '../cli/school.ts'
import { enter, PASSWORD, type School } from '../support/factory.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import { type Environment, JWT_SECRET, Program } from '../support/process.ts'
import { serverWithTools } from '../support/server-with-tools.ts'

/**
 * Rehearses a disaster: dumps a PostgreSQL while the service writes to it, restores the dump into another database, and
 * checks that nothing acknowledged before the dump is missing. `--url` names a server on which databases may be created;
 * without it the newest PostgreSQL of this machine is started.
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, seconds: { type: 'string', default: '5' } },
})

const run = promisify(execFile)
const server = await serverWithTools(values.url).catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
const source = `fahrplan_drill_${randomBytes(4).toString('hex')}`
const target = `${source}_restored`
const folder = mkdtempSync(join(tmpdir(), 'fahrplan-drill-'))
const dump = join(folder, 'dump')
const running: Program[] = []
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
    console.error('Interrupted. Dropping the databases …')
    void cleanUp().finally(() => process.exit(128 + constants.signals[signal]))
  })
}
try {
  for (const name of [source, target]) await execute(server.url, `create database ${name}`)
  const { before, after } = await dumpUnderWrites()
  const seconds = await timed(() =>
    run(join(server.tools, 'pg_restore'), ['--exit-on-error', '-d', urlOf(target), dump]),
  )
  console.log(`Restored in ${seconds} s.`)
  const doctor = await new Program(['doctor'], { DATABASE_URL: urlOf(target) }).exited
  console.log(`The doctor: ${(doctor.out + doctor.err).trim()}`)
  const faults = [...(doctor.code === 0 ? [] : ['the doctor']), ...(await compare(before, after))]
  console.log(faults.length === 0 ? 'The drill succeeded.' : `The drill FAILED: ${faults.join('; ')}.`)
  process.exitCode = faults.length === 0 ? 0 : 1
} catch (error) {
  // An interrupted drill drops its databases, so that its pending statements fail.
  if (!isInterrupted) throw error
} finally {
  if (!isInterrupted) await cleanUp()
}

/** Drops the databases of the drill, and stops all that it started. A second call finds nothing to do. */
async function cleanUp(): Promise<void> {
  for (const program of running.splice(0)) await program.stop('SIGKILL')
  for (const name of [source, target])
    await execute(server.url, `drop database if exists ${name} with (force)`)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The acknowledged lessons, and the number of rows in each table, at one moment. */
type State = { readonly booked: readonly string[]; readonly counts: ReadonlyMap<string, number> }

/** Dumps the database under load. Returns the states before and after. */
async function dumpUnderWrites(): Promise<{ before: State; after: State }> {
  const environment = { DATABASE_URL: urlOf(source), JWT_SECRET, PORT: '0' }
  const service = new Program(['serve'], environment)
  running.push(service)
  const school = await openSchool(environment, await service.url())
  const booked: string[] = []
  let isOver = false
  const clerks = Array.from({ length: 4 }, async () => {
    const { id } = await school.instructor()
    for (let day = 1; !isOver; day += 1) booked.push((await school.lesson(lessonOn(id, day))).id)
  })
  await pause(Number(values.seconds) * 1_000)
  const before = { booked: [...booked], counts: await countsIn(source) }
  const seconds = await timed(() => run(join(server.tools, 'pg_dump'), ['-Fc', '-f', dump, urlOf(source)]))
  isOver = true
  await Promise.all(clerks)
  await service.stop()
  running.splice(0)
  console.log(
    `Dumped in ${seconds} s, in which the service booked ${booked.length - before.booked.length} lessons.`,
  )
  return { before, after: { booked, counts: await countsIn(source) } }
}

/** Returns descriptions of the faults of the restored database. */
async function compare(before: State, after: State): Promise<readonly string[]> {
  const there = new Set(
    (await rowsOf<{ id: string }>(target, 'select id from appointments')).map(({ id }) => id),
  )
  const lost = before.booked.filter((id) => !there.has(id)).length
  const invented = [...there].filter((id) => !after.booked.includes(id)).length
  console.log(`${before.booked.length} bookings were acknowledged before the dump: ${lost} are lost.`)
  const counts = await countsIn(target)
  const wrong = [...counts].filter(([table, count]) => {
    const [least, most] = [before.counts.get(table) ?? 0, after.counts.get(table) ?? 0]
    return count < least || count > most
  })
  console.log(
    `${counts.size} tables: ${wrong.length} have fewer rows than before the dump, or more than after it.`,
  )
  return [
    ...(lost > 0 ? [`${lost} bookings are lost`] : []),
    ...(invented > 0 ? [`${invented} bookings were never acknowledged`] : []),
    ...wrong.map(([table, count]) => `${table} has ${count} rows`),
  ]
}

async function openSchool(environment: Environment, url: string): Promise<School> {
  const { id: tenantId } = JSON.parse((await new Program(tenantCreate(), environment).exited).out)
  const email = anEmail()
  const user = await new Program(userCreate(tenantId, email), environment, PASSWORD).exited
  return enter({ url }, { tenantId, user: { id: JSON.parse(user.out).id, email } })
}

/** Returns a lesson on a day of its own, so that none is refused. */
function lessonOn(instructor_id: string, day: number) {
  const date = new Date(Date.UTC(2030, 0, day)).toISOString().slice(0, 10)
  return { instructor_id, start_at: `${date} 08:00`, end_at: `${date} 09:30` }
}

async function countsIn(database: string): Promise<ReadonlyMap<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    database,
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`)
  const rows = await rowsOf<{ name: string; count: number }>(database, counts.join(' union all '))
  return new Map(rows.map(({ name, count }) => [name, count]))
}

async function rowsOf<Row>(database: string, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: urlOf(database) })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

function urlOf(database: string): string {
  return addressOf(server.url, { database })
}

async function timed(work: () => Promise<unknown>): Promise<string> {
  const begun = performance.now()
  await work()
  return ((performance.now() - begun) / 1000).toFixed(1)
}

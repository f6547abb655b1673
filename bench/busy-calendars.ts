import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { BusyAddresses } from '../src/auth/busy-addresses.ts'
import { newId } from '../src/contract/new-id.ts'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { foundSchools } from '../test/support/history.ts'
import { CERTIFICATE } from '../test/support/receiver.ts'
import { type CalendarKind, calendarKinds, startCalendarServers } from './calendar-servers.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { type LongestTurn, turnMeter } from './longest-turn.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Measures the longest turn of the event loop while the service reads 200 busy calendars of 40 schools, ordinary ones and such as are
 * made to harm, all at first and then each kind alone. Fails if a turn takes more than 20 ms of processor time.
 * Options: --only TEXT (kinds that contain it)
 */
const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } })

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const SCHOOLS = 40
const MAX_TURN_MS = 20
const WARM_UP = 20
const HOUSEKEEPING_MS = 65_000
const ALL = 'all together'

type Row = { readonly state: string; readonly count: number }

const undo: Undo = []
try {
  const kinds = calendarKinds()
  const { database, longestTurn, urlOf } = await start(kinds)
  const head = ['calendars', 'count', 'MB', 's', 'read; failing', 'longest turn ms', 'of processor time']
  console.log(`| ${head.join(' | ')} |\n|---|---:|---:|---:|---|---:|---:|`)
  let worst = 0
  const measure = async (name: string, some: readonly CalendarKind[], makeDue: () => Promise<unknown>) => {
    await longestTurn()
    const begun = performance.now()
    await makeDue()
    const rows = await readAll(database)
    const turn = await longestTurn()
    worst = Math.max(worst, turn.processor)
    console.log(rowOf(name, some, (performance.now() - begun) / 1000, rows, turn))
  }
  // The first calendars warm up.
  const [typical] = kinds
  if (typical)
    await keepCalendars(
      database,
      Array.from({ length: WARM_UP }, (_, index) => urlOf(typical, index)),
    )
  await readAll(database)
  const groups = [{ name: ALL, some: kinds }, ...kinds.map((kind) => ({ name: kind.name, some: [kind] }))]
  for (const { name, some } of groups.filter(({ name }) => name.includes(options.only))) {
    const urls = some.flatMap((kind) => Array.from({ length: kind.count }, (_, index) => urlOf(kind, index)))
    await measure(name, some, () => keepCalendars(database, urls))
    const again = sql`update busy_calendars set next_read_at = now() where failing_since is null`
    await measure(`${name}, again`, some, () => again.execute(database))
  }
  process.exitCode = worst > MAX_TURN_MS ? 1 : 0
} finally {
  for (const one of undo.reverse()) await one()
}

async function start(kinds: readonly CalendarKind[]) {
  const checkout = checkoutIn(HERE)
  const url = await startEmptyPostgres(undo)
  const meter = await turnMeter()
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-calendars-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const authority = join(folder, 'server.pem')
  writeFileSync(authority, CERTIFICATE)
  const { stop } = await checkout.serve({
    ...{ DATABASE_URL: url, JWT_SECRET, PORT: '0', ...meter.env },
    ...{ NODE_EXTRA_CA_CERTS: authority, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  undo.push(stop)
  const database = connectForMaintenance(url, () => undefined)
  undo.push(() => database.destroy())
  // Housekeeping reads all students, a minute after the start and then every hour.
  await pause(HOUSEKEEPING_MS)
  await foundSchools(database, { count: SCHOOLS })
  const { close, urlOf } = await startCalendarServers(kinds)
  undo.push(close)
  return { database, longestTurn: meter.read, urlOf }
}

/** Replaces all calendars, five of a school at most in turn. They are due once all are there. */
async function keepCalendars(database: DatabasePool, urls: readonly string[]): Promise<void> {
  const addresses = new BusyAddresses(JWT_SECRET)
  const rows = urls.map((url, index) => {
    const id = newId()
    return { id, host: new URL(url).host, address: addresses.seal(id, url).toString('hex'), index }
  })
  await sql`truncate busy_calendars, busy_times`.execute(database)
  await sql`
    insert into busy_calendars (tenant_id, id, instructor_id, name, host, address)
    select person.tenant_id, given.id, person.id, 'Private', host, decode(address, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, host text, address text, index integer)
    join school on school.number = index % ${SCHOOLS}
    join lateral (select tenant_id, id from instructors where tenant_id = school.id
      order by id offset index / ${SCHOOLS} limit 1) person on true`.execute(database)
}

async function readAll(database: DatabasePool): Promise<readonly Row[]> {
  for (;;) {
    const { rows } = await sql<Row>`
      select case when failing_since is not null then failure when last_read_at is not null and next_read_at > now() + interval '5 minutes'
          then 'read' else 'waiting' end as state,
        count(*)::int from busy_calendars group by 1 order by 1`.execute(database)
    if (rows.every(({ state }) => state !== 'waiting')) return rows
    await pause(200)
  }
}

function rowOf(
  name: string,
  some: readonly CalendarKind[],
  seconds: number,
  rows: readonly Row[],
  { elapsed, processor }: LongestTurn,
): string {
  const count = some.reduce((sum, kind) => sum + kind.count, 0)
  const bytes = some.reduce((sum, kind) => sum + kind.count * kind.body.length, 0)
  const states = rows.map((row) => `${row.count} ${row.state}`).join(', ')
  const cells = [name, count, (bytes / 1e6).toFixed(0), seconds.toFixed(0), states]
  return `| ${[...cells, elapsed.toFixed(0), processor.toFixed(0)].join(' | ')} |`
}

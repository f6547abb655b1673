import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { bookingOf } from '../src/booking/lessons/book-appointment.ts'
import { isUuid } from '../src/contract/formats.ts'
import { newId } from '../src/contract/new-id.ts'
import { insertAppointment } from '../src/db/appointments/write-appointment.ts'
import { connectForMaintenance, connectPostgres } from '../src/db/connection/connect.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { requireTenant } from '../src/db/school/tenants.ts'
import { Recorder, type Statement } from '../test/support/plans.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type Dataset, fill } from './dataset.ts'
import { median } from './median.ts'
import { anotherDatabase, type Undo } from './servers.ts'

/**
 * Leaves out one index or constraint after another; prints WAL and time of the statement that writes a booking, without the
 * network. The parts take turns, each in its own database. Options: --rounds N --bookings N
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, bookings: { type: 'string', default: '100' } },
})
const [ROUNDS, BOOKINGS] = [Number(options.rounds), Number(options.bookings)]

/** A part to leave out: by a change of the schema, or of the statement. */
type Part = { readonly name: string; readonly without?: string; readonly edit?: (text: string) => string }

const NOTHING: Part = { name: 'nothing' }

type Side = {
  readonly part: Part
  readonly client: pg.Client
  readonly text: string
  readonly micros: number[]
  readonly wal: number[]
}

const PLACES = ['id', 'set_id', 'change_id', 'instructor_id', 'student_id', 'start_at', 'end_at'] as const

const undo: Undo = []
try {
  const server = await startPostgres()
  undo.push(server.stop)
  await withoutPageImages(server.url)
  const template = await anotherDatabase(undo, server.url, 'fahrplan_ablation')
  const dataset = await filled(template)
  const booking = await recordedBooking(template, dataset)
  const sides: Side[] = []
  for (const [index, part] of (await partsOf(template)).entries())
    sides.push(await sideFor(template, { part, booking, name: `fahrplan_without_${index}` }))
  for (let round = -1; round < ROUNDS; round += 1) for (const side of sides) await measure(side, round)
  print(sides)
} finally {
  for (const one of undo.reverse()) await one()
}

/** Turns off full-page writes, because their share of the WAL depends on the time since the last checkpoint. */
async function withoutPageImages(url: string): Promise<void> {
  const client = await opened(url)
  await client.query('alter system set full_page_writes = off')
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function filled(url: string): Promise<Dataset> {
  const db = connectForMaintenance(url, () => undefined)
  await migrate(db)
  const dataset = await fill(db, 1)
  await sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id, after)
    select tenant_id, gen_random_uuid(), timestamptz '2026-01-01' + row_number() over (order by start_at, id) * interval '3 minutes',
      'user', 'Bench', 'appointment', id, 'created', gen_random_uuid(), row_to_json(appointments) from appointments`.execute(
    db,
  )
  await db.destroy()
  return dataset
}

type Booking = { readonly text: string; readonly call: string; readonly loop: string }

/** Records the statement of a booking by the service's own code. Repetitions accept any later version of the calendars. */
async function recordedBooking(
  url: string,
  { tenantId, userId, lessonTypeId, ...people }: Dataset,
): Promise<Booking> {
  const db = connectPostgres(url, () => undefined, { max: 1 })
  const recorder = new Recorder(db.pool)
  const tenant = await requireTenant(db, tenantId)
  const places = {
    ...{ id: newId(), set_id: newId(), start_at: '2029-12-31 08:00', end_at: '2029-12-31 08:45' },
    ...{ instructor_id: people.instructors[0] ?? '', student_id: people.students[0] ?? '' },
  }
  const { set_id, ...wanted } = places
  const user = { kind: 'user', id: userId, name: 'Bench', role: 'owner', instructor_id: null } as const
  const actor = { ...user, tenant, now: new Date(), set_id }
  const { row, seen } = await bookingOf(db, actor, { ...wanted, lesson_type_id: lessonTypeId })
  recorder.take()
  await insertAppointment(db, actor, row, { seen, key: undefined })
  const [write] = recorder.take()
  await db.destroy()
  if (!write) throw new Error('nothing was written')
  return {
    text: write.text.replace(/ version = (\$\d+)/g, ' version >= $1'),
    call: callOf(write, {
      ...places,
      change_id: changeIdIn(write, [tenantId, userId, lessonTypeId, ...Object.values(places)]),
    }),
    loop: `ins := ('{${people.instructors}}'::uuid[])[1 + n % ${people.instructors.length}];
      stu := ('{${people.students}}'::uuid[])[1 + n * 7 % ${people.students.length}];
      t := timestamp '2030-01-01 06:00' + n / 240 * interval '1 day' + n / 30 % 8 * interval '105 minutes';`,
  }
}

function changeIdIn({ values }: Statement, known: readonly string[]): string {
  return String(values.find((value) => typeof value === 'string' && isUuid(value) && !known.includes(value)))
}

function callOf({ values }: Statement, places: Readonly<Record<(typeof PLACES)[number], string>>): string {
  const given = values.map((value) => {
    const place = PLACES.findIndex((name) => places[name] === value)
    return place === -1 ? literal(value).replaceAll('%', '%%') : `%${place + 1}$L`
  })
  return `execute write(${given.join()})`
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value))
}

async function partsOf(url: string): Promise<readonly Part[]> {
  const client = await opened(url)
  const { rows } = await client.query<Part>(`
    select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as without
    from pg_constraint where conrelid in ('appointments'::regclass, 'changes'::regclass) and contype in ('x', 'f')
    union all select indexrelid::regclass::text, format('drop index %s', indexrelid::regclass)
    from pg_index where indrelid in ('appointments'::regclass, 'changes'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)
    union all select 'all check constraints', string_agg(format('alter table %s drop constraint %I', conrelid::regclass, conname), ';')
    from pg_constraint where conrelid in ('appointments'::regclass, 'changes'::regclass) and contype = 'c'
    order by name`)
  await client.end()
  const json = (text: string) =>
    text.replace(/(\$\d+)::json(\s+from "written")/, "nullif(left($1, 0), '')::json$2")
  const log = (text: string) => text.replace('from "written")', 'from "written" where false)')
  return [NOTHING, ...rows, { name: 'the JSON in the log', edit: json }, { name: 'the log', edit: log }]
}

async function sideFor(
  template: string,
  { part, booking, name }: { readonly part: Part; readonly booking: Booking; readonly name: string },
): Promise<Side> {
  const { edit = (text: string) => text, without = '' } = part
  const text = edit(booking.text)
  if (part.edit && text === booking.text) throw new Error(`${part.name} is not in the statement`)
  const client = await opened(await copyOf(template, name))
  await client.query(`${without}; set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off;
    set synchronous_commit = off; prepare write as ${text}`)
  await client.query('vacuum analyze')
  return { part, client, text: loopFor(booking), micros: [], wal: [] }
}

async function copyOf(template: string, name: string): Promise<string> {
  const address = new URL(template)
  const from = address.pathname.slice(1)
  address.pathname = 'postgres'
  const admin = await opened(address.href)
  await admin.query(`create database ${name} template ${from}`)
  undo.push(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  address.pathname = name
  return address.href
}

async function opened(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // The database is dropped while the connection is open.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Returns SQL that measures the WAL and the first quartile of the times, which a busy machine disturbs least. */
function loopFor({ call, loop }: Booking): string {
  return `do $loop$ declare ins uuid; stu uuid; t timestamp; begun timestamptz; taken float8[] := '{}';
    n integer := current_setting('bench.n', true); at pg_lsn := pg_current_wal_insert_lsn();
    begin for i in 1..${BOOKINGS} loop ${loop} n := n + 1; begun := clock_timestamp();
      execute format($call$${call}$call$, uuidv7(), uuidv7(), uuidv7(), ins, stu, t, t + interval '45 minutes');
      taken := taken || extract(epoch from clock_timestamp() - begun) * 1e6; commit; end loop;
    perform set_config('bench.n', n::text, false),
      set_config('bench.wal', ((pg_current_wal_insert_lsn() - at) / ${BOOKINGS})::text, false),
      set_config('bench.micros', (select percentile_cont(0.25) within group (order by one) from unnest(taken) one)::text, false);
    end $loop$`
}

async function measure({ client, text, micros, wal }: Side, round: number): Promise<void> {
  if (round < 0) await client.query(`select set_config('bench.n', '0', false)`)
  await client.query(text)
  const { rows } = await client.query(`select current_setting('bench.micros')::float8 as micros,
    current_setting('bench.wal')::float8 as wal`)
  if (round < 0) return
  micros.push(rows[0].micros)
  wal.push(rows[0].wal)
}

function print(sides: readonly Side[]): void {
  const [all] = sides
  if (!all) return
  console.log('| without | WAL, bytes | | µs | |\n|---|---:|---:|---:|---:|')
  for (const { part, micros, wal } of sides) {
    const saved = (one: readonly number[], whole: readonly number[]) =>
      `${(100 * (median(one.map((value, round) => value / (whole[round] ?? 0))) - 1)).toFixed(1)} %`
    console.log(
      `| ${part.name} | ${median(wal).toFixed(0)} | ${saved(wal, all.wal)} | ${median(micros).toFixed(0)} | ${saved(micros, all.micros)} |`,
    )
  }
}

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { analyze } from './booked-school.ts'
import { checkoutIn, HERE } from './checkout.ts'
import type { Dataset } from './dataset.ts'
import { askOnce, type Load, load, type WireRequest } from './http-load.ts'
import { enrolSchool, foundSchool, PASSWORD } from './idle-school.ts'
import { median } from './median.ts'
import { operationsOn } from './operations.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

/** Measures what 1,000 reminders due at once cost the bookings of another school. Fails if the median slows by over a tenth. */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '5' } },
})
const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const REMINDERS = 1000
const MAX_SLOWER = 1.1
const STUDENTS = 60
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

const undo: Undo = []
try {
  const slower = await measured()
  process.exitCode = slower > MAX_SLOWER ? 1 : 0
} finally {
  for (const one of undo.reverse()) await one()
}

async function measured(): Promise<number> {
  const checkout = checkoutIn(HERE)
  const url = await startEmptyPostgres(undo)
  const DATABASE_URL = await anotherDatabase(undo, url, `fahrplan_messages_${process.pid}`)
  const mail = {
    SMTP_URL: await startMailbox(),
    MAIL_FROM: 'bench@school.example',
    PUBLIC_URL: 'https://bench.example',
  }
  const env = { DATABASE_URL, JWT_SECRET, ...mail }
  const [quiet = '', sending = ''] = ['Quiet', 'Sending'].map((name) => foundSchool(checkout, env, name))
  const { port, stop } = await checkout.serve({ ...env, PORT: '0' })
  undo.push(stop)
  const [book, fill] = [await bookingOf(port, quiet), await bookingOf(port, sending)]
  const database = new pg.Client({ connectionString: DATABASE_URL })
  await database.connect()
  undo.push(() => database.end())
  const school = sending.split('@')[0] ?? ''
  await load({ port, connections: 8, seconds: SECONDS, next: fill, status: 201 })
  await analyze(DATABASE_URL)
  const round = () => load({ port, connections: 1, seconds: SECONDS, next: book, status: 201 })
  const alone: Load[] = []
  const beside: Load[] = []
  let sent = 0
  for (let count = -1; count < ROUNDS; count += 1) {
    await queueReminders(database, school, 0)
    const one = await round()
    await queueReminders(database, school, REMINDERS)
    await sendingBegins(database)
    const before = await waitingIn(database)
    const other = await round()
    const left = await waitingIn(database)
    if (count < 0) continue
    alone.push(one)
    beside.push(other)
    sent += before - left
  }
  const p50 = (all: readonly Load[]) => median(all.map((one) => one.p50))
  const p99 = (all: readonly Load[]) => median(all.map((one) => one.p99))
  const ratio = p50(beside) / p50(alone)
  console.log(`| | p50 ms | p99 ms |\n|---|---:|---:|
| alone | ${p50(alone).toFixed(2)} | ${p99(alone).toFixed(2)} |
| beside ${REMINDERS} reminders that are due | ${p50(beside).toFixed(2)} | ${p99(beside).toFixed(2)} |
| ratio | ${ratio.toFixed(2)} | ${(p99(beside) / p99(alone)).toFixed(2)} |
messages sent a second: ${(sent / ROUNDS / SECONDS).toFixed(0)}`)
  return ratio
}

async function startMailbox(): Promise<string> {
  const mailbox = new Worker(new URL('mailbox.ts', import.meta.url))
  undo.push(() => mailbox.terminate())
  const [port] = await once(mailbox, 'message')
  return `smtp://127.0.0.1:${port}`
}

async function bookingOf(port: number, email: string): Promise<() => WireRequest> {
  await enrolSchool(`http://127.0.0.1:${port}`, email, { students: STUDENTS })
  const body = JSON.stringify({ email, password: PASSWORD })
  const login = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body })
  const { token } = JSON.parse(login.body)
  const headers = { authorization: `Bearer ${token}` }
  const idsIn = async (path: string): Promise<{ id: string; code?: string }[]> =>
    JSON.parse((await askOnce(port, { method: 'GET', path: `/api/v1${path}`, headers })).body)
  const data: Dataset = {
    tenantId: '',
    userId: '',
    lessonTypeId: (await idsIn('/lesson-types')).find(({ code }) => code === 'PRACTICE')?.id ?? '',
    instructors: (await idsIn('/instructors')).map(({ id }) => id),
    students: (await idsIn('/students')).map(({ id }) => id),
    appointments: [],
    refreshTokens: [],
  }
  const booking = operationsOn(data, token).find(({ name }) => name === 'book')
  if (!booking) throw new Error('no operation book')
  return booking.service
}

/** Replaces all messages by reminders of the school's future lessons that are due now. */
async function queueReminders(database: pg.Client, school: string, count: number): Promise<void> {
  await database.query('delete from messages')
  await database.query(`update students set messages_consent = true where tenant_id = $1`, [school])
  await database.query(
    `update tenants set messages = (messages::jsonb || '{"reminder": true, "reminder_hours": [24]}')::json where id = $1`,
    [school],
  )
  const { rowCount } = await database.query(
    `insert into messages (tenant_id, id, kind, student_id, appointment_ids, lessons, params, to_address, send_at, worth_until, next_attempt_at)
     select tenant_id, gen_random_uuid(), 'reminder', student_id, jsonb_build_array(id),
       json_build_array(json_build_object('appointment_id', id, 'instructor_id', instructor_id, 'was', null,
         'start_at', to_char(start_at, 'YYYY-MM-DD HH24:MI'), 'end_at', to_char(end_at, 'YYYY-MM-DD HH24:MI'))),
       '{"hours": 24}', 'student@school.example', now(), now() + interval '1 day', now()
     from (select appointments.* from appointments cross join generate_series(1, $2)
       where tenant_id = $1 and start_at > now() + interval '2 days' and student_id is not null limit $2) coming`,
    [school, count],
  )
  if (rowCount !== count) throw new Error(`only ${rowCount} of ${count} reminders`)
}

async function waitingIn(database: pg.Client): Promise<number> {
  const { rows } = await database.query(`select count(*)::int as count from messages where state = 'waiting'`)
  return rows[0]?.count ?? 0
}

/** Waits until the service has begun to send. It looks for messages every five seconds. */
async function sendingBegins(database: pg.Client): Promise<void> {
  while ((await waitingIn(database)) === REMINDERS) await pause(20)
}

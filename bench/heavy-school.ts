import { sql } from 'kysely'
import { connectEmbedded, connectForMaintenance } from '../src/db/connection/connect.ts'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { inTransactionOnce } from '../src/db/connection/transaction.ts'
import { databaseIn } from '../src/db/upkeep/data-dir.ts'
import { daysLater } from '../src/domain/local-time.ts'
import { thisMonday } from '../test/support/history.ts'
import { askOnce, type WireRequest } from './http-load.ts'
import { fillYear } from './year-school.ts'

export type HeavyRequests = Readonly<Record<string, () => WireRequest>>

const INSTRUCTORS = 100
const LESSONS = 20_000
const LESSONS_OF_A_STUDENT = 5_000
const PLANNED = 120
const LINES = 5_000
/** The length of a line that brings a file of `LINES` lines close to the size limit. */
const BYTES_A_LINE = 400

type Environment = Readonly<Record<string, string>>
type Ids = Readonly<Record<'busy' | 'student' | 'deleted', string>>

/** Fills a school with a year of lessons (`year-school.ts`). */
export async function fillYearSchool(env: Environment, tenantId: string): Promise<void> {
  await withDatabase(env, (database) => fillYear(database, tenantId, thisMonday()))
}

/** Fills a school: instructors without free time, one with 20,000 future lessons, 5,000 of a student and of a deleted one. */
export async function fillHeavySchool(env: Environment, tenantId: string): Promise<Ids> {
  return withDatabase(env, (database) => fill(database, tenantId))
}

async function withDatabase<Result>(
  env: Environment,
  work: (database: DatabasePool) => Promise<Result>,
): Promise<Result> {
  const ignore = () => undefined
  const database = env.DATABASE_URL
    ? connectForMaintenance(env.DATABASE_URL, ignore)
    : await connectEmbedded(databaseIn(env.DATA_DIR ?? ''), ignore)
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}

async function fill(database: DatabasePool, tenantId: string): Promise<Ids> {
  return inTransactionOnce(database, async (db) => {
    await sql`set local statement_timeout = '120s'`.execute(db)
    const add = async (kind: 'instructor' | 'student', count: number) => {
      const { rows } = await sql<{ id: string }>`
        insert into calendars (tenant_id, id, kind)
        select ${tenantId}, gen_random_uuid(), ${kind} from generate_series(1, ${sql.lit(count)}) returning id`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    }
    const instructors = await add('instructor', INSTRUCTORS + 3)
    const [student = '', deleted = ''] = await add('student', 2)
    const [busy = '', ofStudent = '', ofDeleted = '', ...full] = instructors
    await sql`
      insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active,
        required_break_minutes, max_continuous_minutes)
      select ${tenantId}, id, 'x', 'y', '#336699', '{}', true, 0, 44 from unnest(${instructors}::uuid[]) id`.execute(
      db,
    )
    await sql`
      insert into students (tenant_id, id, first_name, last_name, deleted_at)
      select ${tenantId}, id, 'x', 'y', case when id = ${deleted} then now() end
      from unnest(${[student, deleted]}::uuid[]) id`.execute(db)
    const lessons = (instructorId: string, studentId: string | null, count: number) =>
      sql`
      insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
        status, overrides_used, cancelled_with_student)
      select type.tenant_id, gen_random_uuid(), ${instructorId}, ${studentId}::uuid, type.id, at, at + interval '30 minutes',
        'Bench', ${studentId === deleted ? 'cancelled' : 'planned'}, '{}', ${studentId === deleted}
      from lesson_types type, generate_series(0, ${sql.lit(count - 1)}) number,
        lateral (select current_date::timestamp + interval '32 hours' + number / 20 * interval '1 day'
          + number % 20 * interval '30 minutes' as at) starts
      where type.tenant_id = ${tenantId} and type.code = 'PRACTICE'`.execute(db)
    await lessons(busy, null, LESSONS)
    await lessons(ofStudent, student, LESSONS_OF_A_STUDENT)
    await lessons(ofDeleted, deleted, LESSONS_OF_A_STUDENT)
    for (const id of full) await lessons(id, null, 200)
    return { busy, student, deleted }
  })
}

export async function heavyRequests(
  port: number,
  headers: Environment,
  { busy, student }: Ids,
): Promise<HeavyRequests> {
  const ask = async (method: string, path: string, body?: object) => {
    const text = body && JSON.stringify(body)
    const answer = await askOnce(port, {
      method,
      path: `/api/v1${path}`,
      headers,
      ...(text && { body: text }),
    })
    return JSON.parse(answer.body)
  }
  const page = new URL((await ask('POST', `/students/${student}/link`)).url).pathname
  const feed = new URL((await ask('POST', `/instructors/${busy}/calendar-feed`, { detail: 'full' })).url)
    .pathname
  const always =
    (method: string, path: string, body?: object): (() => WireRequest) =>
    () => ({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
  const to = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10)
  return {
    'open a page of 5,000 lessons': always('GET', page),
    'fetch a calendar of 5,000 lessons': always('GET', `${page}.ics`),
    'fetch a feed of 7,000 lessons': always('GET', feed),
    'import a file with faults': always('POST', '/api/v1/student-imports', { file: faultyFile() }),
    'check a file with faults': always('POST', '/api/v1/student-imports/check', { file: faultyFile() }),
    'search where nothing is free': always('GET', `/api/v1/slots?to=${to}&minutes=45&step=5`),
    'ask what 20,000 lessons break': always('POST', `/api/v1/instructors/${busy}/impact`, {
      availability_windows: [{ weekday: 1, start: '08:00', end: '12:00' }],
    }),
  }
}

/** Returns the request for the numbers of the year of `fillYearSchool`. */
export function numbersOfYear(headers: Environment): HeavyRequests {
  const monday = thisMonday()
  const path = `/api/v1/numbers?from=${daysLater(monday, -364)}&to=${daysLater(monday, -1)}`
  return { 'ask for the numbers of a year': () => ({ method: 'GET', path, headers }) }
}

/** Gives students of the school a wish each. Returns the request that plans a week for them. */
export async function planOfWeek(port: number, headers: Environment): Promise<HeavyRequests> {
  const ask = (path: string, method: string, fields: object = {}) =>
    askOnce(port, { method, path: `/api/v1${path}`, headers, ...fields })
  const students: readonly { id: string }[] = JSON.parse(
    (await ask(`/students?limit=${PLANNED}`, 'GET')).body,
  )
  const body = JSON.stringify({ minutes: 90 })
  for (const { id } of students) await ask(`/students/${id}/wishes`, 'POST', { body })
  const monday = daysLater(thisMonday(), 140)
  const week = JSON.stringify({ from: monday, to: daysLater(monday, 4) })
  const { proposed } = JSON.parse((await ask('/plans', 'POST', { body: week })).body)
  if (proposed.length < PLANNED / 2) throw new Error(`only ${proposed.length} lessons are planned`)
  return { 'plan a week': () => ({ method: 'POST', path: '/api/v1/plans', headers, body: week }) }
}

function faultyFile(): string {
  const lines = Array.from({ length: LINES }, (_, at) =>
    `Lena;Vogt ${at};lena${at};32.13.2001;+49 171 555${at};`.padEnd(BYTES_A_LINE, 'x'),
  )
  return Buffer.from(
    ['Vorname;Nachname;E-Mail;Geburtsdatum;Telefon;Kundennummer', ...lines].join('\n'),
  ).toString('base64')
}

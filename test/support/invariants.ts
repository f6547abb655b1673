import { type RawBuilder, sql } from 'kysely'
import type { Series } from '../../src/contract/series.ts'
import type { Database } from '../../src/db/tables.ts'
import type { Answer } from './client.ts'
import type { Exchange, RacingSchool } from './races.ts'

/**
 * What must hold whatever raced; each entry finds the violations.
 * `written` is the turn at which a lesson, or the rules of an instructor, were last written (`audit.ts`). A lesson is
 * judged by the rules only if it was written after them, together with what was written before it.
 */
const QUERIES: Readonly<Record<string, string>> = {
  'instructor in two places': `select a.id, b.id as other from standing a join standing b
    on a.instructor_id = b.instructor_id and a.id < b.id and a.start_at < b.end_at and b.start_at < a.end_at`,
  'student in two places': `select a.id, b.id as other from standing a join standing b
    on a.student_id = b.student_id and a.id < b.id and a.start_at < b.end_at and b.start_at < a.end_at`,
  'daily limit': `select a.id from standing a join rules r on r.id = a.instructor_id
    where a.counts and a.written > r.written and r.max_daily_units is not null
      and (select sum(b.minutes) from standing b where b.instructor_id = a.instructor_id and b.counts
        and b.start_at::date = a.start_at::date and b.written <= a.written)
      > greatest(r.max_daily_units, r.max_daily_override) * r.unit_minutes`,
  'weekly limit': `select a.id from standing a join rules r on r.id = a.instructor_id
    where a.counts and a.written > r.written and r.max_weekly_units is not null
      and (select sum(b.minutes) from standing b where b.instructor_id = a.instructor_id and b.counts
        and date_trunc('week', b.start_at) = date_trunc('week', a.start_at) and b.written <= a.written)
      > greatest(r.max_weekly_units, r.max_weekly_override) * r.unit_minutes`,
  'booked into a vacation': `select a.id, v.start_date from standing a join vacations v
    on v.tenant_id = a.tenant_id and v.instructor_id = a.instructor_id
    join rules r on r.id = a.instructor_id
    where a.start_at < v.end_date + 1 and a.end_at > v.start_date and a.written > r.written`,
  'booked with an inactive instructor': `select a.id from standing a join rules r on r.id = a.instructor_id
    where not r.active and a.written > r.written`,
  'booked outside the windows': `select a.id, day from standing a join rules r on r.id = a.instructor_id,
      generate_series(a.start_at::date::timestamp, a.end_at - interval '1 minute', interval '1 day') day,
      lateral (select range_agg(tsrange(day + w."start", day + w."end")) filter (where w.weekday = extract(isodow from day)) as open
        from availability_windows w where w.tenant_id = a.tenant_id and w.instructor_id = a.instructor_id) hours
    where a.written > r.written and exists (
        select from availability_windows w where w.tenant_id = a.tenant_id and w.instructor_id = a.instructor_id)
      and (open @> tsrange(greatest(a.start_at, day), least(a.end_at, day + interval '1 day'))) is not true`,
  'break too short': `select a.id, b.id as other from standing a join standing b
      on a.instructor_id = b.instructor_id and b.start_at >= a.end_at join rules r on r.id = a.instructor_id
    where b.start_at - a.end_at < r.required_break_minutes * interval '1 minute'
      and greatest(a.written, b.written) > r.written`,
  'stretch too long': `select instructor_id, min(start_at) as start_at, max(end_at) as end_at from (
      select *, count(*) filter (where paused) over (partition by instructor_id order by start_at) as stretch from (
        select a.*, r.max_continuous_minutes, r.written as ruled, start_at - lag(end_at)
            over (partition by instructor_id order by start_at)
          >= greatest(r.required_break_minutes, 15) * interval '1 minute' as paused
        from standing a join rules r on r.id = a.instructor_id) gaps) stretches
    group by instructor_id, stretch, max_continuous_minutes, ruled
    having max(end_at) - min(start_at) > max_continuous_minutes * interval '1 minute' and max(written) > ruled`,
  'reference out of the tenant': `select a.id from own a
      left join instructors i on i.tenant_id = a.tenant_id and i.id = a.instructor_id
      left join students s on s.tenant_id = a.tenant_id and s.id = a.student_id
      left join lesson_types t on t.tenant_id = a.tenant_id and t.id = a.lesson_type_id
    where i.id is null or t.id is null or (s.id is null and a.student_id is not null)`,
  'lesson planned for a deleted student': `select a.id from standing a
      join students s on s.tenant_id = a.tenant_id and s.id = a.student_id join tenants t on t.id = a.tenant_id
    where s.deleted_at is not null and a.status = 'planned' and a.start_at > now() at time zone t.timezone`,
  'misshapen row': `select id from own where (start_at < end_at and end_at <= start_at + interval '24 hours'
    and start_at >= '2000-01-01' and end_at < '2100-01-01' and isfinite(start_at) and isfinite(end_at)) is not true`,
}

/** The violations of the invariants by name; empty if all is well. */
export async function violationsIn(db: Database, school: RacingSchool): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(QUERIES)) {
    const { rows } = await sql<object>`${tenantData(school.tenantId)} ${sql.raw(query)}`.execute(db)
    if (rows.length > 0) found[name] = rows
  }
  const rows = await appointmentRows(db, school.tenantId)
  const writes = school.history
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/appointments'))
    .flatMap(oneByOne)
  const more = {
    'acknowledged writes that are not there': lostWrites(rows, writes, school.history),
    'writes that overwrote each other': overwrites(writes),
    'rows that nobody was told of': rowsWithoutAnswer(rows, writes),
    'differences between API and database': await differencesFromApi(db, school, rows),
  }
  return { ...found, ...Object.fromEntries(Object.entries(more).filter(([, list]) => list.length > 0)) }
}

/** A series as if each of its lessons had been booked and answered by itself. */
function oneByOne(exchange: Exchange): readonly Exchange[] {
  const { path, answer } = exchange
  if (path !== '/appointments/series') return [exchange]
  if (answer.status !== 200) return []
  return (answer.body as Series).booked.map((body) => {
    const headers = new Headers({ etag: `"${body.version}"` })
    return { ...exchange, answer: { status: 201, headers, body, text: JSON.stringify(body) } }
  })
}

function tenantData(tenantId: string): RawBuilder<unknown> {
  return sql`with own as (select a.*, w.turn as written from appointments a join audit.written w on w.id = a.id
      where tenant_id = ${tenantId}),
    standing as (
      select own.*, counts_toward_limits as counts, extract(epoch from end_at - start_at) / 60 as minutes
      from own join lesson_types t on t.tenant_id = own.tenant_id and t.id = own.lesson_type_id
      where deleted_at is null and status <> 'cancelled'),
    rules as (select i.*, t.unit_minutes, w.turn as written
      from instructors i join tenants t on t.id = i.tenant_id join audit.written w on w.id = i.id
      where i.tenant_id = ${tenantId})`
}

type AppointmentRow = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly version: number
  readonly is_deleted: boolean
}

async function appointmentRows(db: Database, tenantId: string): Promise<readonly AppointmentRow[]> {
  const { rows } = await sql<AppointmentRow>`select id, instructor_id, student_id, lesson_type_id,
      to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at, to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at,
      title, status, notes, overrides_used, version, deleted_at is not null as is_deleted
    from appointments where tenant_id = ${tenantId} order by appointments.start_at, id`.execute(db)
  return rows
}

/** The write with the highest version is what stands, unless something without an answer of its own came after. */
function lostWrites(
  rows: readonly AppointmentRow[],
  writes: readonly Exchange[],
  history: readonly Exchange[],
): readonly string[] {
  const isStudentGone = history.some(
    ({ method, path }) => method === 'DELETE' && path.startsWith('/students'),
  )
  return [...lastWrites(writes)].flatMap(([id, last]) => {
    const row = rows.find((one) => one.id === id)
    const isRemoved = writes.some(({ path, answer }) => path.endsWith(id) && answer.status === 204)
    const isRestored = writes.some(({ path, answer }) => path.includes(`${id}/`) && answer.status === 200)
    if (!row) return [`${id} is missing`]
    if (row.is_deleted && !isRemoved) return [`${id} was deleted by nobody`]
    if (isRemoved && !isRestored && !row.is_deleted) return [`${id} was deleted and stands`]
    if (row.version < versionOf(last)) return [`${id} has fallen back to version ${row.version}`]
    if (row.version > versionOf(last))
      return isRemoved || isStudentGone ? [] : [`${id} was changed by nobody`]
    return difference(row, last.body) ? [`${id} is ${JSON.stringify(row)}, not ${last.text}`] : []
  })
}

function lastWrites(writes: readonly Exchange[]): ReadonlyMap<string, Answer> {
  const last = new Map<string, Answer>()
  for (const { answer } of writes.filter(isAcknowledged)) {
    const known = last.get(answer.body.id)
    if (!known || versionOf(known) < versionOf(answer)) last.set(answer.body.id, answer)
  }
  return last
}

/** Two writes that were both acknowledged can have made the same version only if it is the same: one changed nothing. */
function overwrites(writes: readonly Exchange[]): readonly string[] {
  const seen = new Map<string, string>()
  return writes.filter(isAcknowledged).flatMap(({ answer }) => {
    const version = `${answer.body.id} version ${versionOf(answer)}`
    const isSame = (seen.get(version) ?? answer.text) === answer.text
    seen.set(version, answer.text)
    return isSame ? [] : [version]
  })
}

/** What was refused has left no row. */
function rowsWithoutAnswer(
  rows: readonly AppointmentRow[],
  writes: readonly Exchange[],
): readonly AppointmentRow[] {
  const created = new Set(
    writes.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer.body.id),
  )
  return rows.filter(({ id }) => !created.has(id))
}

function isAcknowledged({ answer }: Exchange): boolean {
  return answer.status === 200 || answer.status === 201
}

function versionOf({ headers }: Answer): number {
  return Number(headers.get('etag')?.replaceAll('"', ''))
}

/** Lists and bootstrap show what the tables hold. */
async function differencesFromApi(
  db: Database,
  { client, tenantId }: RacingSchool,
  rows: readonly AppointmentRow[],
): Promise<readonly string[]> {
  const listed = (await client.get('/appointments')).body as { id: string }[]
  const visible = rows.filter((row) => !row.is_deleted)
  const students = await sql<{ id: string }>`select id from students where tenant_id = ${tenantId}
    and deleted_at is null order by last_name, first_name, id`.execute(db)
  const instructors = await sql<{ id: string }>`select id from instructors where tenant_id = ${tenantId}
    order by last_name, first_name, id`.execute(db)
  const bootstrap = (await client.get('/bootstrap')).body
  const pairs = {
    appointments: [idsOf(listed), idsOf(visible)],
    students: [idsOf((await client.get('/students')).body), idsOf(students.rows)],
    instructors: [idsOf((await client.get('/instructors')).body), idsOf(instructors.rows)],
    bootstrapStudents: [idsOf(bootstrap.students), idsOf(students.rows)],
    bootstrapInstructors: [idsOf(bootstrap.instructors), idsOf(instructors.rows)],
  }
  return [
    ...Object.entries(pairs).flatMap(([name, [api, table]]) =>
      api === table ? [] : [`${name}: ${api} / ${table}`],
    ),
    ...visible
      .filter((row) =>
        difference(
          row,
          listed.find(({ id }) => id === row.id),
        ),
      )
      .map(({ id }) => id),
  ]
}

function idsOf(list: readonly { id: string }[]): string {
  return list.map(({ id }) => id).join()
}

/** Whether a field of the row differs in what the API showed. */
function difference({ is_deleted, ...row }: AppointmentRow, shown: object | undefined): boolean {
  const fields = new Map(Object.entries(shown ?? {}))
  return Object.entries(row).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields.get(name)),
  )
}

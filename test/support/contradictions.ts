import { sql } from 'kysely'
import type { ChangedSeries, Series } from '../../src/contract/series.ts'
import type { Database } from '../../src/db/schema/tables.ts'
import type { Answer } from './client.ts'
import type { Exchange, RacingSchool } from './races.ts'

/** Returns contradictions between responses, clients' views and stored data; empty if there are none. */
export async function contradictionsIn(db: Database, school: RacingSchool): Promise<Record<string, unknown>> {
  const rows = await appointmentRows(db, school.tenantId)
  const writes = school.history
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/appointments'))
    .flatMap(oneByOne)
  const lists = {
    'acknowledged writes that are not there': lostWrites(rows, writes, school.history),
    'writes that overwrote each other': overwrites(writes),
    'rows that nobody was told of': rowsWithoutAnswer(rows, writes, school.history),
    'differences between API and database': await differencesFromApi(db, school, rows),
  }
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

/** Returns a series, or its change, as if each of its lessons had been written by a request of its own. */
function oneByOne(exchange: Exchange): readonly Exchange[] {
  const { path, answer } = exchange
  const isChange = /^\/appointments\/series\/[^/]+\/change$/.test(path)
  if (path !== '/appointments/series' && !isChange) return [exchange]
  if (answer.status !== 200) return []
  const lessons = isChange ? (answer.body as ChangedSeries).changed : (answer.body as Series).booked
  return lessons.map((body) => {
    const headers = new Headers({ etag: `"${body.version}"` })
    const written = { status: isChange ? 200 : 201, headers, body, text: JSON.stringify(body) }
    return { ...exchange, ...(isChange && { path: `/appointments/${body.id}` }), answer: written }
  })
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

/** Returns rows that differ from their acknowledged write of the highest version, unless another change followed it. */
function lostWrites(
  rows: readonly AppointmentRow[],
  writes: readonly Exchange[],
  history: readonly Exchange[],
): readonly string[] {
  const isStudentGone = history.some(
    ({ method, path }) => method === 'DELETE' && path.startsWith('/students'),
  )
  // A student's new class takes the coming lessons along.
  const isRetaught = history.some(({ body }) => Object.hasOwn(Object(body), 'license_class_template_id'))
  const undone = new Set(history.filter(isUndo).flatMap(({ answer }) => answer.body.undone))
  const decided = new Set(
    history.filter(isAbsence).flatMap(({ answer }) => answer.body.appointments.map(idOf)),
  )
  return [...lastWrites(writes)].flatMap(([id, last]) => {
    const row = rows.find((one) => one.id === id)
    const isRemoved = writes.some(({ path, answer }) => path.endsWith(id) && answer.status === 204)
    const isRestored = writes.some(({ path, answer }) => path.includes(`${id}/`) && answer.status === 200)
    if (!row) return [`${id} is missing`]
    // The response to an undo has no versions. The tests of undo check the result.
    if (undone.has(id) || decided.has(id)) return []
    if (row.is_deleted && !isRemoved) return [`${id} was deleted by nobody`]
    if (isRemoved && !isRestored && !row.is_deleted) return [`${id} was deleted and stands`]
    if (row.version < versionOf(last)) return [`${id} has fallen back to version ${row.version}`]
    if (row.version > versionOf(last))
      return isRemoved || isStudentGone || isRetaught ? [] : [`${id} was changed by nobody`]
    return difference(row, last.body) ? [`${id} is ${JSON.stringify(row)}, not ${last.text}`] : []
  })
}

function isUndo({ path, answer }: Exchange): boolean {
  return path.endsWith('/undo') && answer.status === 200
}

/** Whether an absence or a closure was stored, whose decisions change many lessons at once. Its tests check the result. */
function isAbsence({ path, answer }: Exchange): boolean {
  return (path.endsWith('/absences') || path.endsWith('/decided')) && answer.status === 200
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

function lastWrites(writes: readonly Exchange[]): ReadonlyMap<string, Answer> {
  const last = new Map<string, Answer>()
  for (const { answer } of writes.filter(isAcknowledged)) {
    const known = last.get(answer.body.id)
    if (!known || versionOf(known) < versionOf(answer)) last.set(answer.body.id, answer)
  }
  return last
}

/** Returns versions with different responses. Two acknowledged writes may share a version only if one changed nothing. */
function overwrites(writes: readonly Exchange[]): readonly string[] {
  const seen = new Map<string, string>()
  return writes.filter(isAcknowledged).flatMap(({ answer }) => {
    const version = `${answer.body.id} version ${versionOf(answer)}`
    const isSame = (seen.get(version) ?? answer.text) === answer.text
    seen.set(version, answer.text)
    return isSame ? [] : [version]
  })
}

/** Returns rows that no response contains: a refused request must leave none. Accepted offers name their lessons. */
function rowsWithoutAnswer(
  rows: readonly AppointmentRow[],
  writes: readonly Exchange[],
  history: readonly Exchange[],
): readonly AppointmentRow[] {
  const offers = history.filter(({ method, path }) => method === 'GET' && path === '/offers')
  const taken = new Set(offers.flatMap(({ answer }) => answer.body.map(appointmentIdOf)))
  const created = new Set(
    writes.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer.body.id),
  )
  return rows.filter(({ id }) => !created.has(id) && !taken.has(id))
}

function appointmentIdOf({ appointment_id }: { readonly appointment_id: string | null }): string | null {
  return appointment_id
}

function isAcknowledged({ answer }: Exchange): boolean {
  return answer.status === 200 || answer.status === 201
}

function versionOf({ headers }: Answer): number {
  // The ETag of a long response also contains its coding.
  return Number(/\d+/.exec(headers.get('etag') ?? '')?.[0])
}

/** Returns differences between the tables and the lists and bootstrap. */
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

/** Whether a field of the row differs from the API's response. */
function difference({ is_deleted, ...row }: AppointmentRow, shown: object | undefined): boolean {
  const fields = new Map(Object.entries(shown ?? {}))
  return Object.entries(row).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields.get(name)),
  )
}

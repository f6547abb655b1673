import { createHash } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { openEmbedded, takeDataDir } from '../../src/db/upkeep/data-dir.ts'
import { enter, type Row, type School } from '../support/factory.ts'
import { type Environment, once } from '../support/process.ts'
import { onPostgres, sharedDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { type MadeSchool, makeSchool, printed } from './school.ts'

const sandbox = useSandbox()
/** A word in every text about the student, and in no other text. */
const CANARY = 'kanarienvogel'

type Office = { readonly school: School; readonly environment: Environment }
type Lessons = Readonly<Record<'held' | 'renamed' | 'coming' | 'deleted' | 'left' | 'other', Row>>

async function anOffice(environment: Environment, url: string): Promise<Office> {
  return { school: await enter({ url }, await makeSchool(sandbox, environment)), environment }
}

const ENROLMENT = {
  first_name: CANARY,
  last_name: CANARY,
  email: `${CANARY}@school.example`,
  phone: CANARY,
  birth_date: '2013-02-28',
  notes: CANARY,
}

const keyOf = (body: object) => createHash('sha256').update(JSON.stringify(body)).digest('hex')

const NAMED = { first_name: 'Lena', last_name: 'Vogt' }

/** Sends a request with a key, so that its response is stored. */
function post({ client }: School, path: string, body: object) {
  return client.post(path, body, { 'idempotency-key': keyOf(body) })
}

/** Creates a student with the canary in every text field. */
async function aStudent(school: School): Promise<Row> {
  const { body } = await post(school, '/students', ENROLMENT)
  const change = { notes: `${CANARY}, once more`, phone: `+${CANARY}` }
  await school.client.patch(`/students/${body.id}`, change)
  return body
}

async function lessonsOf(school: School, student: Row): Promise<Lessons> {
  const { id: instructor_id } = await school.instructor()
  const book = async (year: number, more: object = { title: CANARY, notes: CANARY }) => {
    const times = { start_at: `${year}-05-04 08:00`, end_at: `${year}-05-04 09:30` }
    const lesson_type_id = school.lessonTypes.PRACTICE
    const given = { instructor_id, student_id: student.id, lesson_type_id, ...times, ...more }
    return (await post(school, '/appointments', given)).body
  }
  const change = async (lesson: Row, fields: object) =>
    school.client.patch(`/appointments/${lesson.id}`, fields)
  const lessons = {
    held: await book(2020),
    renamed: await book(2021),
    coming: await book(2098),
    deleted: await book(2022),
    left: await book(2023),
    other: await book(2024, { student_id: null, title: 'Office', notes: 'of nobody' }),
  }
  await change(lessons.held, { status: 'completed', practised: CANARY })
  await change(lessons.renamed, { title: 'Drive', notes: null })
  await school.client.delete(`/appointments/${lessons.deleted.id}`)
  await change(lessons.left, { student_id: null, title: 'Drive', notes: 'nobody came' })
  return lessons
}

async function erase({ school, environment }: Office, student: Row): Promise<void> {
  const line = ['student', 'erase', '--tenant', school.tenantId, '--id', student.id, '--json']
  expect(await printed(sandbox, line, environment)).toEqual({ id: student.id })
}

/** Deletes and erases the student, then checks every view of the school. */
async function expectErased(office: Office, student: Row, lessons: Lessons): Promise<void> {
  const { client } = office.school
  const read = (lesson: Row, tag?: string) =>
    client.get(`/appointments/${lesson.id}`, tag === undefined ? undefined : { 'if-none-match': tag })
  const tag = (await read(lessons.held)).headers.get('etag') ?? ''
  expect((await read(lessons.held, tag)).status).toBe(304)
  await client.delete(`/students/${student.id}`)
  const before: readonly Change[] = (await client.get('/changes')).body
  expect(JSON.stringify(before)).toContain(CANARY)

  await erase(office, student)

  const again = await read(lessons.held, tag)
  expect([again.status, again.headers.get('etag') === tag]).toEqual([200, false])
  for (const name of ['held', 'renamed', 'coming'] as const) {
    const { body } = await read(lessons[name])
    const { instructor_id, start_at, end_at } = lessons[name]
    expect(body).toMatchObject({ student_id: null, notes: null, instructor_id, start_at, end_at })
  }
  expect((await read(lessons.other)).body).toEqual(lessons.other)
  expect((await read(lessons.left)).body).toMatchObject({ title: 'Drive', notes: 'nobody came' })
  expect((await client.get(`/students/${student.id}`)).status).toBe(404)
  const after: readonly Change[] = (await client.get('/changes')).body
  expect(JSON.stringify(after)).not.toContain(CANARY)
  // Authors, actions and times are unchanged, and the erasure is logged.
  const known = new Set(before.map(({ id }) => id))
  expect(metadataOf(after.filter(({ id }) => known.has(id)))).toEqual(metadataOf(before))
  const news = after.filter(({ id }) => !known.has(id))
  expect(new Set(news.map(({ set_id }) => set_id)).size).toBe(1)
  expect(new Set(news.map(({ actor }) => JSON.stringify(actor)))).toEqual(
    new Set(['{"kind":"command","id":null,"name":"student erase"}']),
  )
  expect(news.filter(({ resource }) => resource === 'student')).toMatchObject([
    { action: 'erased', resource_id: student.id, before: null, after: null },
  ])
  const changed = news
    .filter(({ resource }) => resource === 'appointment')
    .map(({ resource_id }) => resource_id)
  const { held, renamed, coming } = lessons
  expect(changed.toSorted()).toEqual([held, renamed, coming].map(({ id }) => id).toSorted())

  // The old key returns no stored response, and does not create the student again.
  const repeated = await post(office.school, '/students', ENROLMENT)
  expect([repeated.status, (await client.get('/students')).body]).toEqual([404, []])

  const history: readonly Change[] = (await client.get(`/students/${student.id}/history`)).body
  expect(history.map(({ action }) => action)).toEqual(['erased', 'deleted', 'changed', 'created'])
  expect(history.slice(1).map(({ actor }) => actor.name)).toEqual(Array(3).fill('Anna Office'))
  expect(history.map(({ before, after }) => [before, after])).toEqual(Array(4).fill([null, null]))
  const restored = await client.post(`/appointments/${lessons.deleted.id}/restore`)
  expect(restored.body).toMatchObject({ student_id: null, notes: null })
}

function metadataOf(changes: readonly Change[]): readonly unknown[] {
  return changes.map(({ id, at, actor, resource, resource_id, action, set_id }) => [
    id,
    at,
    actor,
    resource,
    resource_id,
    action,
    set_id,
  ])
}

const TABLES = [
  'changes',
  'students',
  'appointments',
  'instructors',
  'calendars',
  'users',
  'idempotency_keys',
  'links',
  'mails',
  'webhooks',
  'webhook_deliveries',
]

/** Returns a query for the tables that have a text in any row. */
function tablesWith(text: string, { tenantId }: MadeSchool): string {
  const rows = TABLES.map(
    (table) => `select '${table}' as name, t::text as row from ${table} t where tenant_id = '${tenantId}'`,
  )
  return `select distinct name from (${rows.join(' union all ')}) every where row ilike '%${text}%' order by name`
}

describe.concurrent('student erase', () => {
  const service = once(() => sandbox.serve(onPostgres()))

  it('removes all personal data of the student on PostgreSQL as the table owner', async () => {
    const { url } = await service()
    const office = await anOffice(onPostgres(), url)
    const student = await aStudent(office.school)
    const lessons = await lessonsOf(office.school, student)
    await expectErased(office, student, lessons)
    const owner = new pg.Client({ connectionString: sharedDatabase().owner })
    await owner.connect()
    const canaries = await owner.query(tablesWith(CANARY, office.school))
    const named = await owner.query(tablesWith(student.id, office.school))
    await owner.end()
    expect(canaries.rows).toEqual([])
    // The log still has the entries, under an id that no longer identifies anyone.
    expect(named.rows).toEqual([{ name: 'changes' }])
  })

  it('removes all personal data of the student on the embedded database of a running service', async () => {
    const environment = { DATA_DIR: await sandbox.dataDir() }
    const { service, url } = await sandbox.serve(environment)
    const office = await anOffice(environment, url)
    const student = await aStudent(office.school)
    const lessons = await lessonsOf(office.school, student)
    await expectErased(office, student, lessons)
    await service.stop()
    const dataDir = takeDataDir(environment.DATA_DIR, 'test')
    const db = await openEmbedded(dataDir, (error) => console.error(error.message))
    const { rows } = await db.pool.query(tablesWith(CANARY, office.school))
    await db.destroy()
    dataDir.release()
    expect(rows).toEqual([])
  })

  it('fails for a role that may not change the log', async () => {
    const { app, owner } = sharedDatabase()
    const { url } = await service()
    const office = await anOffice(onPostgres(), url)
    const student = await aStudent(office.school)
    await office.school.client.delete(`/students/${student.id}`)
    const line = ['student', 'erase', '--tenant', office.school.tenantId, '--id', student.id]
    const { code, out, err } = await sandbox.run(line, { DATABASE_URL: app })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).not.toContain(owner)
    expect((await office.school.client.post(`/students/${student.id}/restore`)).status).toBe(200)
  })

  it('lists texts about other students first, and changes them only with --yes', async () => {
    const { owner } = sharedDatabase()
    const { url } = await service()
    const { school } = await anOffice(onPostgres(), url)
    const { client, tenantId } = school
    const other = (await client.post('/students', { ...NAMED, first_name: 'Mia', notes: 'Ring Lena Vogt.' }))
      .body
    const { id } = (await client.post('/students', NAMED)).body
    await client.delete(`/students/${id}`)
    const line = ['student', 'erase', '--tenant', tenantId, '--id', id]
    const asked = await sandbox.run(line, { DATABASE_URL: owner })
    expect([asked.code, asked.out]).toEqual([1, ''])
    expect(asked.err).toContain(`  student ${other.id}, notes: "Ring Lena Vogt."\n`)
    expect(asked.err).toContain('repeat the command with --yes')
    expect((await client.get(`/students/${other.id}`)).body.notes).toBe('Ring Lena Vogt.')
    const done = await sandbox.run([...line, '--yes'], { DATABASE_URL: owner })
    expect([done.code, done.out.split('\n')]).toEqual([
      0,
      [
        `Erased the student ${id}. These texts were changed:`,
        `  student ${other.id}, notes: "Ring Lena Vogt."`,
        '',
      ],
    ])
    expect((await client.get(`/students/${other.id}`)).body.notes).toBe('Ring ….')
  })
})

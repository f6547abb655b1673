import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents, beginReading } from '../support/long-list.ts'

const service = useService()
const PATHS = ['/students', '/bootstrap']
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  await addStudents(service(), school, 1001)
})

const tagOf = async (path: string) => (await school.client.get(path)).headers.get('etag') ?? ''
const again = (path: string, tag: string) => school.client.get(path, { 'if-none-match': tag })
const aStudent = async () => (await school.client.get('/students?limit=1')).body[0]

describe.each(PATHS)('the entity tag of GET %s with 1,001 students', (path) => {
  it('yields 304 for GET and HEAD of an unchanged response', async () => {
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(await tagOf(path)).toBe(tag)
    for (const known of [tag, `W/${tag}`, `"old", ${tag}`]) {
      const { status, text, headers } = await again(path, known)
      expect([status, text, headers.get('etag')], known).toEqual([304, '', tag])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect((await again(path, '*')).status).toBe(304)
    const head = await school.client.send('HEAD', path, undefined, { 'if-none-match': tag })
    expect([head.status, head.headers.get('etag')]).toEqual([304, tag])
  })

  it.each([
    ['a row changes', async () => school.client.patch(`/students/${(await aStudent()).id}`, { notes: 'x' })],
    ['a row is deleted', async () => school.client.delete(`/students/${(await aStudent()).id}`)],
    ['a row is added', () => school.client.post('/students', { first_name: 'A', last_name: 'B' })],
    [
      'a row is deleted and restored',
      async () => {
        const { id } = await aStudent()
        await school.client.delete(`/students/${id}`)
        return school.client.post(`/students/${id}/restore`)
      },
    ],
  ])('changes when %s', async (_, change) => {
    const tag = await tagOf(path)
    expect((await change()).status).toBeLessThan(300)
    const { status, headers, body } = await again(path, tag)
    expect([status, headers.get('etag') === tag]).toEqual([200, false])
    expect(body.students ?? body).toEqual((await school.client.get('/students')).body)
  })

  it('does not change when a booking only locks a student', async () => {
    const [instructor, student] = [await school.instructor(), await school.student()]
    const tag = await tagOf(path)
    const times = { start_at: '2030-05-06 08:00', end_at: '2030-05-06 09:00' }
    const lesson = await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times })
    await school.client.delete(`/appointments/${lesson.id}`)
    expect((await again(path, tag)).status).toBe(304)
  })
})

it('the entity tag of a long bootstrap also depends on instructors and users', async () => {
  const parts = [
    () => school.instructor(),
    () => sql`update users set name = name || '.' where tenant_id = ${school.tenantId}`.execute(service().db),
  ]
  for (const change of parts) {
    const tag = await tagOf('/bootstrap')
    await change()
    // Session data is cached for a moment.
    await expect.poll(async () => (await again('/bootstrap', tag)).status, { timeout: 20_000 }).toBe(200)
  }
})

it('a list that grows or shrinks across 1,000 rows is sent again exactly once', async () => {
  const { client, ...other } = await aSchool(service())
  await addStudents(service(), other, 1000)
  const tags: string[] = []
  const look = async () => {
    const known = tags.at(-1) ?? ''
    const { status, headers, body } = await client.get('/students', { 'if-none-match': known })
    tags.push(headers.get('etag') ?? '')
    return [status, body?.length]
  }
  expect(await look()).toEqual([200, 1000])
  const { body } = await client.post('/students', { first_name: 'Lena', last_name: 'Vogt' })
  expect([await look(), await look()]).toEqual([
    [200, 1001],
    [304, undefined],
  ])
  await client.delete(`/students/${body.id}`)
  expect([await look(), await look()]).toEqual([
    [200, 1000],
    [304, undefined],
  ])
  expect(tags.at(-1)).toBe(tags[0])
})

describe('a list that is written to while it is sent', () => {
  let crowd: School

  beforeAll(async () => {
    crowd = await aSchool(service())
    await addStudents(service(), crowd, 30_000)
  })

  // A list is read in pages, and the embedded database has one connection for all readers.
  it('omits a row added during the response, and yields 304 once that row is deleted', {
    tags: 'embedded_later',
  }, async () => {
    const reading = await beginReading(service(), crowd, '/students')
    const { id } = await crowd.student({ last_name: 'zzz' })
    const rows = JSON.parse(await reading.rest()) as { id: string }[]
    expect(rows).toHaveLength(30_000)
    expect(rows.map((row) => row.id)).not.toContain(id)
    await crowd.client.delete(`/students/${id}`)
    const known = { 'if-none-match': reading.headers.get('etag') ?? '' }
    expect((await crowd.client.get('/students', known)).status).toBe(304)
  })

  it('contains a change made during the response, and yields 200 for its entity tag afterwards', {
    tags: 'embedded_later',
  }, async () => {
    const [last] = (await crowd.client.get('/students?limit=1')).body
    await crowd.client.patch(`/students/${last.id}`, { last_name: 'zz' })
    const reading = await beginReading(service(), crowd, '/students')
    await crowd.client.patch(`/students/${last.id}`, { notes: 'changed meanwhile' })
    const rows = JSON.parse(await reading.rest())
    expect(rows.at(-1)).toMatchObject({ id: last.id, notes: 'changed meanwhile' })
    const known = { 'if-none-match': reading.headers.get('etag') ?? '' }
    expect((await crowd.client.get('/students', known)).status).toBe(200)
  })
})

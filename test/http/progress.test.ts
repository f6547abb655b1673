import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { openOwnDatabase, startService, useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents, beginReading } from '../support/long-list.ts'
import { Recorder } from '../support/plans.ts'

const service = useService()
let school: School
let instructor: string
let template: string
let hour = 0

beforeAll(async () => {
  school = await aSchool(service())
  instructor = (await school.instructor()).id
  template = await templateOf(school, 'B')
})

async function templateOf({ client }: School, code: string): Promise<string> {
  const templates = (await client.get('/license-class-templates')).body
  return templates.find((one: { code: string }) => one.code === code).id
}

const type = (code: string) => school.lessonTypes[code] ?? ''
const aLearner = async (fields: object = {}) =>
  (await school.student({ license_class_template_id: template, ...fields })).id

/** A lesson of the student, after the one before. */
async function drive(
  student_id: string | null,
  code: string,
  minutes: number,
  status = 'completed',
): Promise<string> {
  hour += 1
  const at = (minute: number) =>
    new Date(Date.UTC(2026, 0, 1, hour * 6, minute)).toISOString().slice(0, 16).replace('T', ' ')
  const times = { start_at: at(0), end_at: at(minutes) }
  const fields = { instructor_id: instructor, student_id, lesson_type_id: type(code), status }
  return (await school.lesson({ ...fields, ...times })).id
}

const progressOf = async (id: string) => (await school.client.get(`/students/${id}/progress`)).body
const listed = async (id: string) =>
  (await school.client.get('/students?with=progress')).body.find((one: { id: string }) => one.id === id)
const change = (id: string, fields: object) => school.client.patch(`/appointments/${id}`, fields)

describe('GET /students/{id}/progress', () => {
  it('tells what the class demands, in its order, before anything is done', async () => {
    const line = (code: string, required_units: number, min_one_block_units: number | null) => ({
      lesson_type_id: type(code),
      required_units,
      done_units: 0,
      planned_units: 0,
      open_units: required_units,
      min_one_block_units,
      block_done: min_one_block_units === null ? null : false,
    })
    expect(await progressOf(await aLearner())).toEqual({
      template_id: template,
      requirements: [
        line('RURAL', 5, 2),
        line('MOTORWAY', 4, 2),
        line('NIGHT', 3, null),
        line('THEORY_BASIC', 24, null),
        line('THEORY_SPECIFIC', 4, null),
      ],
      other: [],
      ready: false,
    })
  })

  it('takes whole units of each lesson, the block, and fractions of what is not required', async () => {
    const id = await aLearner()
    for (const minutes of [60, 60, 44]) await drive(id, 'RURAL', minutes)
    await drive(id, 'RURAL', 90, 'planned')
    for (const minutes of [90, 135]) await drive(id, 'MOTORWAY', minutes)
    await drive(id, 'EXAM_PREP', 30, 'planned')
    for (const minutes of [60, 60]) await drive(id, 'PRACTICE', minutes)
    const { requirements, other } = await progressOf(id)
    expect(requirements.slice(0, 2)).toMatchObject([
      { done_units: 2, planned_units: 2, open_units: 1, block_done: false },
      { done_units: 5, planned_units: 0, open_units: 0, block_done: true },
    ])
    expect(other).toEqual([
      { lesson_type_id: type('PRACTICE'), done_units: 2.67, planned_units: 0 },
      { lesson_type_id: type('EXAM_PREP'), done_units: 0, planned_units: 0.67 },
    ])
  })

  it('takes nothing of what was missed, cancelled, deleted, or is of another student', async () => {
    const id = await aLearner()
    const before = await progressOf(id)
    await drive(id, 'RURAL', 90, 'no_show')
    await drive(id, 'PRACTICE', 90, 'cancelled')
    await school.client.delete(`/appointments/${await drive(id, 'RURAL', 90)}`)
    await drive(await aLearner(), 'RURAL', 90)
    await drive(null, 'RURAL', 90)
    expect(await progressOf(id)).toEqual(before)
  })

  it('is ready when all is done, and not without a class', async () => {
    const id = await aLearner()
    for (const [code, units] of [
      ['RURAL', 5],
      ['MOTORWAY', 4],
      ['NIGHT', 3],
      ['THEORY_SPECIFIC', 4],
    ] as const)
      await drive(id, code, units * 45)
    for (let count = 0; count < 6; count += 1) await drive(id, 'THEORY_BASIC', 180)
    expect((await progressOf(id)).ready).toBe(true)
    expect((await listed(id)).progress).toEqual({
      done_units: 40,
      planned_units: 0,
      required_units: 40,
      ready: true,
    })
    await school.client.patch(`/students/${id}`, { license_class_template_id: null })
    expect(await progressOf(id)).toMatchObject({ template_id: null, requirements: [], ready: false })
    expect((await progressOf(id)).other).toHaveLength(5)
  })

  it('reckons in the units of the school', async () => {
    const austrian = await aSchool(service(), { country: 'AT', timezone: 'Europe/Vienna' })
    const [first] = (await austrian.client.get('/license-class-templates')).body
    const { id } = await austrian.student({ license_class_template_id: first.id })
    const { id: instructor_id } = await austrian.instructor()
    const lesson_type_id = first.requirements[0].lesson_type_id
    const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:39' }
    await austrian.lesson({ instructor_id, student_id: id, lesson_type_id, status: 'completed', ...times })
    const { requirements } = (await austrian.client.get(`/students/${id}/progress`)).body
    expect(requirements[0].done_units).toBe(1)
  })

  it('is 404 for who is unknown or deleted, and back with them', async () => {
    const id = await aLearner()
    await school.client.delete(`/students/${id}`)
    for (const gone of [id, randomUUID(), instructor]) {
      const { status, body } = await school.client.get(`/students/${gone}/progress`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    await school.client.post(`/students/${id}/restore`)
    expect((await progressOf(id)).template_id).toBe(template)
  })

  it('has a tag that holds until it changes', async () => {
    const id = await aLearner()
    const path = `/students/${id}/progress`
    const tag = (await school.client.get(path)).headers.get('etag') ?? ''
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(304)
    await drive(id, 'NIGHT', 45, 'planned')
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  it('refuses parameters', async () => {
    const { status, body } = await school.client.get(`/students/${await aLearner()}/progress?with=progress`)
    expect([status, body.errors[0].pointer]).toEqual([400, '?with'])
  })
})

describe('GET /students?with=progress', () => {
  it('tells of every student the sum of what is required, and the student as the list does', async () => {
    const id = await aLearner()
    await drive(id, 'RURAL', 90)
    await drive(id, 'NIGHT', 300)
    await drive(id, 'MOTORWAY', 45, 'planned')
    await drive(id, 'PRACTICE', 90)
    const { progress, ...student } = await listed(id)
    expect(progress).toEqual({ done_units: 5, planned_units: 1, required_units: 40, ready: false })
    expect(student).toEqual((await school.client.get(`/students/${id}`)).body)
    const { id: other } = await school.student()
    expect((await listed(other)).progress).toEqual({
      done_units: 0,
      planned_units: 0,
      required_units: 0,
      ready: false,
    })
  })

  it('is the list of students otherwise: its rows, their order, and pages', async () => {
    const plain = (await school.client.get('/students')).body
    const whole = (await school.client.get('/students?with=progress')).body
    expect(plain.length).toBeGreaterThan(3)
    expect(whole.map(({ progress: _, ...student }: { progress: object }) => student)).toEqual(plain)
    const pages = []
    for (let next: string | undefined = '/students?with=progress&limit=2'; next; ) {
      const { body, headers }: Answer = await school.client.get(next)
      pages.push(...body)
      next = /<\/api\/v1([^>]*)>/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(pages).toEqual(whole)
  })

  it.each(['', 'history', 'PROGRESS', 'progress,progress', '1'])('refuses with=%s', async (value) => {
    const { status, body } = await school.client.get(`/students?with=${value}`)
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', '?with'])
  })

  it('refuses it twice', async () => {
    const { status, body } = await school.client.get('/students?with=progress&with=progress')
    expect([status, body.errors[0].pointer]).toEqual([400, '?with'])
  })
})

describe.each([
  ['short', 0],
  ['long', 1001],
])('the entity tag of a %s list with progress', (_, crowd) => {
  const path = '/students?with=progress'
  let id: string
  let lesson: string

  beforeAll(async () => {
    if (crowd > 0) await addStudents(service(), school, crowd)
    id = await aLearner({ last_name: 'Aaa' })
    lesson = await drive(id, 'RURAL', 90, 'planned')
  })

  const tagNow = async () => (await school.client.get(path)).headers.get('etag') ?? ''

  it('spares the client what it has', async () => {
    const tag = await tagNow()
    const { status, headers } = await school.client.get(path, { 'if-none-match': tag })
    expect([status, headers.get('etag')]).toEqual([304, tag])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is booked', () => drive(id, 'NIGHT', 45, 'planned')],
    ['is completed', () => change(lesson, { status: 'completed' })],
    ['is missed', () => change(lesson, { status: 'no_show' })],
    ['is planned again', () => change(lesson, { status: 'planned' })],
    ['is of a type that is not required', () => change(lesson, { lesson_type_id: type('PRACTICE') })],
    ['is of one that is', () => change(lesson, { lesson_type_id: type('MOTORWAY') })],
    ['goes to another student', async () => change(lesson, { student_id: await aLearner() })],
    ['comes back', () => change(lesson, { student_id: id })],
    ['is cancelled', () => change(lesson, { status: 'cancelled' })],
    ['stands again', () => change(lesson, { status: 'planned' })],
    ['is deleted', () => school.client.delete(`/appointments/${lesson}`)],
    ['is restored', () => school.client.post(`/appointments/${lesson}/restore`)],
    ['has another class to be for', () => patchStudent({ license_class_template_id: null })],
  ])('is another as soon as a lesson %s', async (_, act) => {
    const tag = await tagNow()
    await act()
    const { status, headers, body } = await school.client.get(path, { 'if-none-match': tag })
    expect([status, headers.get('etag') === tag]).toEqual([200, false])
    expect(body).toEqual((await school.client.get(path)).body)
  })

  const patchStudent = (fields: object) => school.client.patch(`/students/${id}`, fields)
})

it('a lesson that comes while a long list is sent, and goes to nobody, leads to no false 304', async () => {
  const crowd = await aSchool(service())
  await addStudents(service(), crowd, 30_000)
  const { id: student_id } = await crowd.student({
    last_name: 'zzz',
    license_class_template_id: await templateOf(crowd, 'B'),
  })
  const { id: instructor_id } = await crowd.instructor()
  const reading = await beginReading(service(), crowd, '/students?with=progress')
  const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
  const lesson_type_id = crowd.lessonTypes.RURAL
  const { id } = await crowd.lesson({ instructor_id, student_id, lesson_type_id, ...times })
  const rows = JSON.parse(await reading.rest())
  expect(rows.at(-1)).toMatchObject({ id: student_id, progress: { planned_units: 2 } })
  expect((await crowd.client.patch(`/appointments/${id}`, { student_id: null })).status).toBe(200)
  const known = { 'if-none-match': reading.headers.get('etag') ?? '' }
  expect((await crowd.client.get('/students?with=progress', known)).status).toBe(200)
})

it('is one statement, however long the list is', async () => {
  const db = await openOwnDatabase()
  const recorder = new Recorder(db.pool)
  const recorded = await startService(db)
  try {
    const { client, ...other } = await aSchool(recorded)
    await addStudents(recorded, other, 1000)
    recorder.takeAll()
    const answer = await client.get('/students?with=progress')
    expect([answer.status, answer.body.length]).toEqual([200, 1000])
    expect(recorder.takeAll().map(({ text }) => text)).toEqual([expect.stringContaining('students')])
  } finally {
    await recorded.close()
    await db.destroy()
  }
})

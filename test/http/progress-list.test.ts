import { beforeAll, describe, expect, it } from 'vitest'
import { openOwnDatabase, startService, useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents, beginReading } from '../support/long-list.ts'
import { Recorder } from '../support/plans.ts'
import { aCachedLogin } from '../support/session.ts'
import { aTrainer, type Trainer, templateOf } from '../support/trainer.ts'

const service = useService()
let school: School
let trainer: Trainer

beforeAll(async () => {
  school = await aSchool(service())
  trainer = await aTrainer(school)
})

const type = (code: string) => school.lessonTypes[code]
const listed = async (id: string) =>
  (await school.client.get('/students?with=progress')).body.find((one: { id: string }) => one.id === id)
const change = (id: string, fields: object) => school.client.patch(`/appointments/${id}`, fields)

describe('GET /students?with=progress', () => {
  it('adds the sums of required, planned and done units to each student', async () => {
    const id = await trainer.learner()
    await trainer.drive(id, 'RURAL', 90)
    await trainer.drive(id, 'NIGHT', 300)
    await trainer.drive(id, 'MOTORWAY', 45, 'planned')
    await trainer.drive(id, 'PRACTICE', 90)
    await trainer.drive(id, 'THEORY_BASIC', 90)
    const { progress, ...student } = await listed(id)
    expect(progress).toEqual({
      ...{ done_units: 7, planned_units: 1, required_units: 40, ready: false },
      theory: { done_units: 2, planned_units: 0, required_units: 28 },
    })
    expect(student).toEqual((await school.client.get(`/students/${id}`)).body)
    const { id: other } = await school.student()
    expect((await listed(other)).progress).toEqual({
      done_units: 0,
      planned_units: 0,
      required_units: 0,
      theory: { done_units: 0, planned_units: 0, required_units: 0 },
      ready: false,
    })
  })

  it('keeps the rows and order of GET /students, also across pages', async () => {
    for (const last_name of ['Zander', 'Adam', 'Vogt']) await trainer.learner({ last_name })
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

  it.each(['', 'history', 'PROGRESS', 'progress,progress', '1'])(
    'rejects with=%s with 400',
    async (value) => {
      const { status, body } = await school.client.get(`/students?with=${value}`)
      expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', '?with'])
    },
  )

  it('rejects a repeated parameter with 400', async () => {
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
    id = await trainer.learner({ last_name: 'Aaa' })
    lesson = await trainer.drive(id, 'RURAL', 90, 'planned')
  })

  const tagNow = async () => (await school.client.get(path)).headers.get('etag') ?? ''

  it('leads to 304 while nothing changes', async () => {
    const tag = await tagNow()
    const { status, headers } = await school.client.get(path, { 'if-none-match': tag })
    expect([status, headers.get('etag')]).toEqual([304, tag])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is booked', () => trainer.drive(id, 'NIGHT', 45, 'planned')],
    ['is completed', () => change(lesson, { status: 'completed' })],
    ['is marked as a no-show', () => change(lesson, { status: 'no_show' })],
    ['is planned again after a no-show', () => change(lesson, { status: 'planned' })],
    ['gets a type that is not required', () => change(lesson, { lesson_type_id: type('PRACTICE') })],
    ['gets a type that is required', () => change(lesson, { lesson_type_id: type('MOTORWAY') })],
    ['gets another student', async () => change(lesson, { student_id: await trainer.learner() })],
    ['gets its first student back', () => change(lesson, { student_id: id })],
    ['is cancelled', () => change(lesson, { status: 'cancelled' })],
    ['is planned again after a cancellation', () => change(lesson, { status: 'planned' })],
    ['is deleted', () => school.client.delete(`/appointments/${lesson}`)],
    ['is restored', () => school.client.post(`/appointments/${lesson}/restore`)],
    ['has a student whose class is removed', () => patchStudent({ license_class_template_id: null })],
  ])('changes when a lesson %s', async (_, act) => {
    const tag = await tagNow()
    await act()
    const { status, headers, body } = await school.client.get(path, { 'if-none-match': tag })
    expect([status, headers.get('etag') === tag]).toEqual([200, false])
    expect(body).toEqual((await school.client.get(path)).body)
  })

  const patchStudent = (fields: object) => school.client.patch(`/students/${id}`, fields)
})

// `http/long-lists` changes a list while it is sent.
it('a lesson booked while a long list is sent, and then unassigned, does not cause a false 304', {
  tags: 'long',
}, async () => {
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

it('GET /students?with=progress runs a single SQL statement for 1,000 students', async () => {
  const db = await openOwnDatabase()
  const recorder = new Recorder(db.pool)
  const recorded = await startService(db)
  try {
    const crowd = await aSchool(recorded)
    await addStudents(recorded, crowd, 1000)
    const client = await aCachedLogin(recorded, crowd)
    recorder.takeAll()
    const answer = await client.get('/students?with=progress')
    expect([answer.status, answer.body.length]).toEqual([200, 1000])
    expect(recorder.takeAll().map(({ text }) => text)).toEqual([expect.stringContaining('students')])
  } finally {
    await recorded.close()
    await db.destroy()
  }
})

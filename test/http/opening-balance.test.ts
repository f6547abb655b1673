import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import { aTrainer, type Trainer } from '../support/trainer.ts'

const service = useService()
let school: School
let trainer: Trainer

beforeAll(async () => {
  school = await aSchool(service())
  trainer = await aTrainer(school)
})

const path = (id: string) => `/students/${id}/opening-balance`
const entry = (code: string, units: number, more: object = {}) => ({
  lesson_type_id: school.lessonTypes[code],
  units,
  date: '2026-03-31',
  source: 'Fahrschule Süd',
  ...more,
})
const put = (id: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  school.client.put(path(id), body, headers)
const progressOf = async (id: string) => (await school.client.get(`/students/${id}/progress`)).body

describe('the opening balance of a student', () => {
  it('is empty by default, and replaced as a whole', async () => {
    const id = await trainer.learner()
    expect((await school.client.get(path(id))).body).toEqual([])
    const entries = [entry('RURAL', 3), entry('RURAL', 0, { source: 'Record of 2025' })]
    const answer = await put(id, entries)
    expect([answer.status, answer.body]).toEqual([200, entries])
    expect((await school.client.get(path(id))).body).toEqual(entries)
    expect((await put(id, [])).body).toEqual([])
    expect((await school.client.get(path(id))).body).toEqual([])
  })

  it('counts as done in progress, with its own opening_units, and in the list of students', async () => {
    const id = await trainer.learner()
    await trainer.drive(id, 'RURAL', 90)
    const before = await progressOf(id)
    await put(id, [entry('RURAL', 2), entry('MOTORWAY', 4), entry('EXAM_PREP', 1)])
    const { requirements, other } = await progressOf(id)
    expect(requirements.slice(0, 2)).toMatchObject([
      { done_units: 4, opening_units: 2, open_units: 1, block_done: true },
      { done_units: 4, opening_units: 4, open_units: 0, block_done: true },
    ])
    expect(requirements.slice(2)).toEqual(before.requirements.slice(2))
    expect(other).toEqual([
      { lesson_type_id: school.lessonTypes.EXAM_PREP, done_units: 1, opening_units: 1, planned_units: 0 },
    ])
    const list = (await school.client.get('/students?with=progress')).body
    expect(list.find((one: { id: string }) => one.id === id).progress.done_units).toBe(8)
  })

  it('causes the warning requirement_already_met in a check', async () => {
    const id = await trainer.learner()
    await put(id, [entry('MOTORWAY', 4)])
    const { body } = await school.client.post('/appointments/check', {
      instructor_id: trainer.instructor,
      student_id: id,
      lesson_type_id: school.lessonTypes.MOTORWAY,
      start_at: '2031-05-05 08:00',
      end_at: '2031-05-05 09:30',
    })
    expect(body.warnings).toContainEqual({
      code: 'requirement_already_met',
      params: {
        lesson_type_id: school.lessonTypes.MOTORWAY,
        required_units: 4,
        done_units: 4,
        planned_units: 0,
      },
    })
  })

  it("shares the student's version: a stale tag is rejected, and equal entries change nothing", async () => {
    const id = await trainer.learner()
    const read = await school.client.get(path(id))
    const etag = read.headers.get('etag') ?? ''
    expect((await school.client.get(`/students/${id}`)).headers.get('etag')).toBe(etag)
    expect((await school.client.get(path(id), { 'if-none-match': etag })).status).toBe(304)
    const written = await put(id, [entry('RURAL', 1)], { 'if-match': etag })
    const next = written.headers.get('etag')
    expect([written.status, next]).toEqual([200, '"2"'])
    expect((await put(id, [], { 'if-match': etag })).body.code).toBe('stale')
    const { source, date, units, lesson_type_id } = entry('RURAL', 1)
    expect((await put(id, [{ source, date, units, lesson_type_id }])).headers.get('etag')).toBe(next)
  })

  it('returns every fault of invalid entries with 400', async () => {
    const id = await trainer.learner()
    const { source: _, ...sourceless } = entry('RURAL', 1)
    const bad = [
      entry('RURAL', 1.5),
      entry('RURAL', -1),
      entry('RURAL', 1001),
      entry('RURAL', 1, { date: 'x' }),
    ]
    const { status, body } = await put(id, [...bad, sourceless, entry('RURAL', 1, { by: 'me' })])
    expect(status).toBe(400)
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/0/units',
      '/1/units',
      '/2/units',
      '/3/date',
      '/4/source',
      '/5/by',
    ])
    expect((await put(id, { lesson_type_id: 1 })).status).toBe(400)
    expect((await put(id, Array(101).fill(entry('RURAL', 1)))).status).toBe(400)
    expect((await put(id, [entry('RURAL', 1, { lesson_type_id: randomUUID() })])).status).toBe(404)
    expect((await put(randomUUID(), [])).status).toBe(404)
    expect((await school.client.get(path(id))).body).toEqual([])
  })

  it("is recorded in the student's history with its author, and can be undone", async () => {
    const id = await trainer.learner()
    await put(id, [entry('RURAL', 1)])
    const written = await put(id, [entry('RURAL', 2)])
    const [change] = (await school.client.get(`/students/${id}/history`)).body
    expect(change).toMatchObject({
      actor: { kind: 'user', id: school.user.id },
      resource: 'student',
      action: 'changed',
      before: { opening_balance: [entry('RURAL', 1)] },
      after: { opening_balance: [entry('RURAL', 2)] },
    })
    const undone = await school.client.post(`/changes/sets/${written.headers.get('x-request-id')}/undo`)
    const [enrolment] = (await school.client.get(`/students/${id}/enrolments`)).body
    expect(undone.body.undone).toEqual([enrolment.id, id])
    expect((await school.client.get(path(id))).body).toEqual([entry('RURAL', 1)])
  })

  it("can be read, but not written, by the student's instructors", async () => {
    const id = await trainer.learner()
    await put(id, [entry('RURAL', 1)])
    const user = await aUser(service(), school.tenantId, {
      role: 'instructor',
      instructor_id: trainer.instructor,
    })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.get(path(id))).status).toBe(404)
    await trainer.drive(id, 'PRACTICE', 45)
    expect((await client.get(path(id))).body).toEqual([entry('RURAL', 1)])
    expect((await client.put(path(id), [])).body.code).toBe('forbidden')
  })

  it('is 404 while its student is deleted, and is restored with the student', async () => {
    const id = await trainer.learner()
    await put(id, [entry('RURAL', 1)])
    await school.client.delete(`/students/${id}`)
    expect([(await school.client.get(path(id))).status, (await put(id, [])).status]).toEqual([404, 404])
    await school.client.post(`/students/${id}/restore`)
    expect((await school.client.get(path(id))).body).toEqual([entry('RURAL', 1)])
  })
})

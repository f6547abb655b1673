import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aTrainer, type Trainer } from '../support/trainer.ts'

const service = useService()
let school: School
let trainer: Trainer

beforeAll(async () => {
  school = await aSchool(service())
  trainer = await aTrainer(school)
})

const type = (code: string) => school.lessonTypes[code]
const progressOf = async (id: string) => (await school.client.get(`/students/${id}/progress`)).body
const listed = async (id: string) =>
  (await school.client.get('/students?with=progress')).body.find((one: { id: string }) => one.id === id)

describe('GET /students/{id}/progress', () => {
  it('returns the requirements of the class in order, all of them open, before any lesson', async () => {
    const line = (code: string, required_units: number, min_one_block_units: number | null) => ({
      lesson_type_id: type(code),
      required_units,
      done_units: 0,
      planned_units: 0,
      open_units: required_units,
      min_one_block_units,
      block_done: min_one_block_units === null ? null : false,
    })
    expect(await progressOf(await trainer.learner())).toEqual({
      template_id: trainer.template,
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

  it('counts whole units and blocks toward requirements, and fractions for other types', async () => {
    const id = await trainer.learner()
    for (const minutes of [60, 60, 44]) await trainer.drive(id, 'RURAL', minutes)
    await trainer.drive(id, 'RURAL', 90, 'planned')
    for (const minutes of [90, 135]) await trainer.drive(id, 'MOTORWAY', minutes)
    await trainer.drive(id, 'EXAM_PREP', 30, 'planned')
    for (const minutes of [60, 60]) await trainer.drive(id, 'PRACTICE', minutes)
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

  it('ignores missed, cancelled and deleted lessons and those of other students', async () => {
    const id = await trainer.learner()
    const before = await progressOf(id)
    await trainer.drive(id, 'RURAL', 90, 'no_show')
    await trainer.drive(id, 'PRACTICE', 90, 'cancelled')
    await school.client.delete(`/appointments/${await trainer.drive(id, 'RURAL', 90)}`)
    await trainer.drive(await trainer.learner(), 'RURAL', 90)
    await trainer.drive(null, 'RURAL', 90)
    expect(await progressOf(id)).toEqual(before)
  })

  it('reports a student as ready when all units are done, but not without a class', async () => {
    const id = await trainer.learner()
    for (const [code, units] of [
      ['RURAL', 5],
      ['MOTORWAY', 4],
      ['NIGHT', 3],
      ['THEORY_SPECIFIC', 4],
    ] as const)
      await trainer.drive(id, code, units * 45)
    for (let count = 0; count < 6; count += 1) await trainer.drive(id, 'THEORY_BASIC', 180)
    expect((await progressOf(id)).ready).toBe(true)
    expect((await listed(id)).progress).toEqual({
      done_units: 40,
      planned_units: 0,
      required_units: 40,
      theory: { done_units: 28, planned_units: 0, required_units: 28 },
      ready: true,
    })
    await school.client.patch(`/students/${id}`, { license_class_template_id: null })
    expect(await progressOf(id)).toMatchObject({ template_id: null, requirements: [], ready: false })
    expect((await progressOf(id)).other).toHaveLength(5)
  })

  it("counts in the school's units: 99 minutes are one unit of 50 minutes", async () => {
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

  it('returns 404 for an unknown or deleted student, and works again after a restore', async () => {
    const id = await trainer.learner()
    await school.client.delete(`/students/${id}`)
    for (const gone of [id, randomUUID(), trainer.instructor]) {
      const { status, body } = await school.client.get(`/students/${gone}/progress`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    await school.client.post(`/students/${id}/restore`)
    expect((await progressOf(id)).template_id).toBe(trainer.template)
  })

  it('returns 304 until the progress changes', async () => {
    const id = await trainer.learner()
    const path = `/students/${id}/progress`
    const tag = (await school.client.get(path)).headers.get('etag') ?? ''
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(304)
    await trainer.drive(id, 'NIGHT', 45, 'planned')
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  it('rejects query parameters with 400', async () => {
    const { status, body } = await school.client.get(
      `/students/${await trainer.learner()}/progress?with=progress`,
    )
    expect([status, body.errors[0].pointer]).toEqual([400, '?with'])
  })
})

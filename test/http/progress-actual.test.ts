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

type Line = { readonly lesson_type_id: string; readonly done_units: number }

const progressOf = async (id: string) => (await school.client.get(`/students/${id}/progress`)).body
const lineOf = async (id: string, code: string) => {
  const { requirements, other } = await progressOf(id)
  return [...requirements, ...other].find((one: Line) => one.lesson_type_id === school.lessonTypes[code])
}
const listed = async (id: string) =>
  (await school.client.get('/students?with=progress,readiness')).body.find(
    (one: { id: string }) => one.id === id,
  )

/** Drives for some minutes, other than planned, and marks the lesson as done unless told otherwise. */
async function took(student: string, code: string, planned: number, minutes: number, status = 'completed') {
  const id = await trainer.drive(student, code, planned, 'planned')
  const { start_at } = (await school.client.get(`/appointments/${id}`)).body
  const end = new Date(Date.parse(`${start_at.replace(' ', 'T')}Z`) + minutes * 60_000)
  const actual_end_at = end.toISOString().slice(0, 16).replace('T', ' ')
  const changed = await school.client.patch(`/appointments/${id}`, {
    ...{ status, actual_start_at: start_at, actual_end_at },
  })
  expect(changed.status).toBe(200)
  return id
}

describe('progress by lessons with actual times', () => {
  it.each([
    [4, 0, false, { lessons: 1, planned_minutes: 90, actual_minutes: 4 }],
    [84, 1, false, { lessons: 1, planned_minutes: 90, actual_minutes: 84 }],
    [85, 2, true, undefined],
    [86, 2, true, undefined],
    [95, 2, true, undefined],
    [134, 2, true, { lessons: 1, planned_minutes: 90, actual_minutes: 134 }],
    [135, 3, true, { lessons: 1, planned_minutes: 90, actual_minutes: 135 }],
  ])('counts a drive planned for 90 minutes that took %i as %i units', async (minutes, done, block, off) => {
    const id = await trainer.learner()
    await took(id, 'RURAL', 90, minutes)
    const line = await lineOf(id, 'RURAL')
    expect(line).toMatchObject({ done_units: done, open_units: 5 - done, block_done: block })
    expect(line.off_plan).toEqual(off)
    expect((await listed(id)).progress).toMatchObject({ done_units: done })
  })

  it('counts minutes with fractions for types that the class does not require', async () => {
    const id = await trainer.learner()
    await took(id, 'PRACTICE', 90, 30)
    await trainer.drive(id, 'PRACTICE', 90)
    expect(await lineOf(id, 'PRACTICE')).toMatchObject({
      done_units: 2.67,
      off_plan: { lessons: 1, planned_minutes: 90, actual_minutes: 30 },
    })
  })

  it('counts a lesson that has begun as planned until it is done', async () => {
    const id = await trainer.learner()
    const lesson = await took(id, 'RURAL', 90, 4, 'planned')
    expect(await lineOf(id, 'RURAL')).toMatchObject({ done_units: 0, planned_units: 2 })
    await school.client.patch(`/appointments/${lesson}`, { status: 'completed' })
    expect(await lineOf(id, 'RURAL')).toMatchObject({ done_units: 0, planned_units: 0, open_units: 5 })
  })

  it('agrees in the list, the readiness and the check with the count of each lesson', async () => {
    const id = await trainer.learner()
    for (const minutes of [4, 90, 90, 44, 45, 39]) await took(id, 'NIGHT', minutes < 45 ? 45 : 90, minutes)
    expect(await lineOf(id, 'NIGHT')).toMatchObject({ done_units: 6, open_units: 0 })
    const short = await trainer.learner()
    for (let count = 0; count < 3; count += 1) await took(short, 'NIGHT', 45, 30)
    expect(await lineOf(short, 'NIGHT')).toMatchObject({ done_units: 0, open_units: 3 })
    const warningsFor = async (student_id: string) => {
      const { body } = await school.client.post('/appointments/check', {
        ...{ student_id, instructor_id: trainer.instructor, lesson_type_id: school.lessonTypes.NIGHT },
        ...{ start_at: '2026-11-30 18:00', end_at: '2026-11-30 18:45' },
      })
      return body.warnings.map(({ code }: { code: string }) => code)
    }
    expect(await warningsFor(id)).toContain('requirement_already_met')
    expect(await warningsFor(short)).not.toContain('requirement_already_met')
    expect((await listed(short)).readiness.requirements).toBe(false)
  })
})

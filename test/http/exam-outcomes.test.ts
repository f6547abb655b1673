import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aTrainer, type Trainer } from '../support/trainer.ts'

const service = useService()
let school: School
let trainer: Trainer

beforeEach(async () => {
  school = await aSchool(service())
  trainer = await aTrainer(school)
})

const exam = async (student_id: string, code: string, date: string, fields: object = {}): Promise<Row> =>
  must(
    201,
    await school.client.post('/appointments', {
      instructor_id: trainer.instructor,
      student_id,
      lesson_type_id: school.lessonTypes[code],
      start_at: `${date} 08:00`,
      end_at: `${date} 09:00`,
      ...fields,
    }),
  )

it('an exam result completes the exam, also in a booking, unless the exam was cancelled', async () => {
  const id = await trainer.learner()
  const exam_result = { passed: true, note: null }
  for (const status of ['planned', 'no_show']) {
    const { id: booked } = await exam(await trainer.learner(), 'PRACTICAL_EXAM', '2026-05-04', { status })
    const path = `/appointments/${booked}`
    expect(must(200, await school.client.patch(path, { exam_result })).status).toBe('completed')
    expect(must(200, await school.client.patch(path, { status: 'planned' }))).toMatchObject({
      ...{ status: 'planned', exam_result },
    })
    must(204, await school.client.delete(path))
  }
  expect((await exam(id, 'PRACTICAL_EXAM', '2026-05-05', { exam_result })).status).toBe('completed')
  const { id: cancelled } = await exam(id, 'PRACTICAL_EXAM', '2026-05-06', { status: 'cancelled' })
  const kept = await school.client.patch(`/appointments/${cancelled}`, { exam_result })
  expect(must(200, kept).status).toBe('cancelled')
})

it('the check warns of an exam that was passed before, and of one before the minimum age, not of the class', async () => {
  const warningsFor = async (student_id: string, start: string) => {
    const { warnings } = must(
      200,
      await school.client.post('/appointments/check', {
        ...{ student_id, instructor_id: trainer.instructor },
        lesson_type_id: school.lessonTypes.PRACTICAL_EXAM,
        ...{ start_at: `${start} 08:00`, end_at: `${start} 09:00` },
      }),
    ) as { warnings: readonly { code: string; params: object }[] }
    return warnings.filter(({ code }) => !['in_the_past', 'far_ahead', 'class_not_taught'].includes(code))
  }
  const id = await trainer.learner({ birth_date: '2010-06-15' })
  expect(await warningsFor(id, '2028-05-14')).toEqual([
    { code: 'too_early', params: { earliest_date: '2028-05-15' } },
  ])
  expect(await warningsFor(id, '2028-05-15')).toEqual([])
  await exam(id, 'PRACTICAL_EXAM', '2028-05-16', { exam_result: { passed: false } })
  expect(await warningsFor(id, '2028-06-15')).toEqual([])
  await exam(id, 'PRACTICAL_EXAM', '2028-06-01', { exam_result: { passed: true } })
  const lesson_type_id = school.lessonTypes.PRACTICAL_EXAM
  expect(await warningsFor(id, '2028-06-15')).toEqual([
    { code: 'already_passed', params: { lesson_type_id, date: '2028-06-01' } },
  ])
})

it('a lesson that is no exam takes no result, and an exam that becomes another lesson loses it', async () => {
  const { PRACTICE, PRACTICAL_EXAM } = school.lessonTypes
  const exam_result = { passed: true, note: null }
  const at = { start_at: '2026-05-06 08:00', end_at: '2026-05-06 09:00' }
  const drive = { instructor_id: trainer.instructor, lesson_type_id: PRACTICE, ...at, exam_result }
  const refused = { pointer: '/exam_result', code: 'not_an_exam', detail: expect.stringMatching(/category/) }
  const series = { appointment: drive, repeat: { every_weeks: 1, count: 2 } }
  const batch = { appointments: [{ ...drive, exam_result: null, ...at }, drive] }
  for (const [path, body] of [
    ['', drive],
    ['/series', series],
    ['/series', { ...series, dry_run: true }],
    ['/batch', batch],
  ] as const) {
    const answer = await school.client.post(`/appointments${path}`, body, { 'idempotency-key': randomUUID() })
    expect(must(400, answer).errors).toEqual([refused])
  }
  expect(must(200, await school.client.get('/appointments?from=2026-05-06&to=2026-05-20'))).toEqual([])

  const { id } = await exam(await trainer.learner(), 'PRACTICAL_EXAM', '2026-05-04', { exam_result })
  const path = `/appointments/${id}`
  const both = await school.client.patch(path, { lesson_type_id: PRACTICE, exam_result })
  expect(must(400, both).errors).toEqual([refused])
  const retyped = await school.client.patch(path, { lesson_type_id: PRACTICE })
  expect(must(200, retyped)).toMatchObject({ exam_result: null, status: 'completed' })
  expect(must(400, await school.client.patch(path, { exam_result })).errors).toEqual([refused])
  expect(must(200, await school.client.patch(path, { exam_result: null })).exam_result).toBeNull()
  must(200, await school.client.post(`/changes/sets/${retyped.headers.get('x-request-id')}/undo`))
  expect(must(200, await school.client.get(path))).toMatchObject({
    ...{ lesson_type_id: PRACTICAL_EXAM, exam_result },
  })
})

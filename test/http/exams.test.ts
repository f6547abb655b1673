import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { aTrainer, type Trainer, templateOf } from '../support/trainer.ts'

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
const readinessOf = async (id: string) => {
  const rows: Row[] = must(200, await school.client.get('/students?with=readiness'))
  return rows.find((one) => one.id === id)?.readiness
}

it('an exam result is stored without checking rules, is logged, and can be undone', async () => {
  const id = await trainer.learner()
  const { id: booked, exam_result } = await exam(id, 'PRACTICAL_EXAM', '2026-05-04')
  expect(exam_result).toBeNull()
  await school.client.patch(`/instructors/${trainer.instructor}`, { active: false })
  const path = `/appointments/${booked}`
  const failed = { passed: false, note: 'Ran a red light' }
  const written = await school.client.patch(path, {
    exam_result: { passed: false, note: ' Ran a red light ' },
  })
  expect(must(200, written).exam_result).toEqual(failed)
  expect(must(200, await school.client.patch(path, { exam_result: failed })).version).toBe(2)
  const passed = await school.client.patch(path, { exam_result: { passed: true } })
  expect(must(200, passed).exam_result).toEqual({ passed: true, note: null })
  const [change] = must(200, await school.client.get(`${path}/history`))
  expect(change).toMatchObject({
    before: { exam_result: failed },
    after: { exam_result: { passed: true, note: null } },
  })
  must(200, await school.client.post(`/changes/sets/${passed.headers.get('x-request-id')}/undo`))
  expect(must(200, await school.client.get(path)).exam_result).toEqual(failed)
  expect(must(200, await school.client.patch(path, { exam_result: null })).exam_result).toBeNull()
})

it('an exam result has the same bytes in the booking, its replay, the lesson and the list', async () => {
  const body = {
    instructor_id: trainer.instructor,
    student_id: await trainer.learner(),
    lesson_type_id: school.lessonTypes.PRACTICAL_EXAM,
    start_at: '2026-05-04 08:00',
    end_at: '2026-05-04 09:00',
    exam_result: { passed: false, note: 'Ran a red light' },
  }
  const key = { 'idempotency-key': randomUUID() }
  const booked = await school.client.post('/appointments', body, key)
  const path = `/appointments/${must(201, booked).id}`
  const { note, passed } = body.exam_result
  const answers = [
    booked,
    await school.client.post('/appointments', body, key),
    await school.client.get(path),
    await school.client.get('/appointments?from=2026-05-04&to=2026-05-04'),
    await school.client.patch(path, { exam_result: { note, passed } }),
  ]
  const resultIn = ({ text }: { text: string }) => /"exam_result":(\{.*?\})/.exec(text)?.[1]
  expect(new Set(answers.map(resultIn))).toEqual(new Set([JSON.stringify({ note, passed })]))
  expect((await school.client.get(path)).body.version).toBe(1)
})

it('a change of student clears the exam result unless it sets one, and an undo restores it', async () => {
  const [first, second] = [await trainer.learner(), await trainer.learner()]
  const [failed, passed] = [
    { note: 'Ran a red light', passed: false },
    { note: null, passed: true },
  ]
  const { id } = await exam(first, 'PRACTICAL_EXAM', '2026-05-04', { exam_result: failed })
  const path = `/appointments/${id}`
  const same = { student_id: first, notes: 'Engine' }
  expect(must(200, await school.client.patch(path, same)).exam_result).toEqual(failed)
  const moved = await school.client.patch(path, { student_id: second })
  expect(must(200, moved).exam_result).toBeNull()
  const [change] = must(200, await school.client.get(`${path}/history`))
  expect(change).toMatchObject({ before: { exam_result: failed }, after: { exam_result: null } })
  must(200, await school.client.post(`/changes/sets/${moved.headers.get('x-request-id')}/undo`))
  const back = must(200, await school.client.get(path))
  expect(back).toMatchObject({ student_id: first, exam_result: failed })
  const named = await school.client.patch(path, { student_id: second, exam_result: passed })
  expect(must(200, named).exam_result).toEqual(passed)
})

it('an instructor can record results of their own exams only', async () => {
  const id = await trainer.learner()
  const { id: own } = await exam(id, 'PRACTICAL_EXAM', '2026-05-04')
  const other = await school.instructor()
  const { id: foreign } = await exam(id, 'PRACTICAL_EXAM', '2026-05-05', { instructor_id: other.id })
  const role = { role: 'instructor', instructor_id: trainer.instructor } as const
  const user = await aUser(service(), school.tenantId, role)
  const { client } = await enter(service(), { tenantId: school.tenantId, user })
  const exam_result = { passed: true, note: null }
  expect(must(200, await client.patch(`/appointments/${own}`, { exam_result })).exam_result).toEqual(
    exam_result,
  )
  expect((await client.patch(`/appointments/${foreign}`, { exam_result })).status).toBe(404)
})

it('a student is ready once requirements, theory and theory test are met, until the exam is passed', async () => {
  const id = await trainer.learner()
  const nothing = {
    requirements: false,
    theory: false,
    theory_test: null,
    ready: false,
    missing: ['requirements', 'theory', 'theory_test'],
    earliest_date: null,
  }
  expect(await readinessOf(id)).toEqual(nothing)
  const { requirements } = must(200, await school.client.get(`/students/${id}/progress`))
  const theory = [school.lessonTypes.THEORY_BASIC, school.lessonTypes.THEORY_SPECIFIC]
  const entries = requirements.map(({ lesson_type_id, required_units: units }: Row) => ({
    lesson_type_id,
    units,
    date: '2026-03-31',
    source: 'Elsewhere',
  }))
  const drives = entries.filter((one: Row) => !theory.includes(String(one.lesson_type_id)))
  must(200, await school.client.put(`/students/${id}/opening-balance`, drives))
  expect(await readinessOf(id)).toMatchObject({ requirements: true, missing: ['theory', 'theory_test'] })
  must(200, await school.client.put(`/students/${id}/opening-balance`, entries))

  await exam(id, 'THEORY_EXAM', '2026-05-04', { exam_result: { passed: false, note: '12 points' } })
  expect(await readinessOf(id)).toMatchObject({
    theory: true,
    theory_test: false,
    missing: ['theory_test'],
    earliest_date: '2026-05-18',
  })
  const retry = await exam(id, 'THEORY_EXAM', '2026-05-18')
  expect(await readinessOf(id)).toMatchObject({ theory_test: false })
  must(200, await school.client.patch(`/appointments/${retry.id}`, { exam_result: { passed: true } }))
  expect(await readinessOf(id)).toEqual({
    requirements: true,
    theory: true,
    theory_test: true,
    ready: true,
    missing: [],
    earliest_date: null,
  })

  const failed = { exam_result: { passed: false, note: 'Right of way' } }
  await exam(id, 'PRACTICAL_EXAM', '2026-06-01', failed)
  expect(await readinessOf(id)).toMatchObject({ ready: true, earliest_date: '2026-06-15' })
  await exam(id, 'PRACTICAL_EXAM', '2026-06-15', { exam_result: { passed: true } })
  expect(await readinessOf(id)).toMatchObject({ ready: false, missing: [], earliest_date: null })
})

it('readiness can be combined with progress, and is covered by the entity tag of the list', async () => {
  const id = await trainer.learner()
  const path = '/students?with=progress,readiness'
  const inOtherOrder = await school.client.get('/students?with=readiness,progress')
  expect(inOtherOrder.body).toEqual((await school.client.get(path)).body)
  const before = await school.client.get(path)
  expect(must(200, before)).toMatchObject([{ progress: { ready: false }, readiness: { ready: false } }])
  const { id: booked } = await exam(id, 'PRACTICAL_EXAM', '2026-05-04')
  await school.client.patch(`/appointments/${booked}`, { exam_result: { passed: false } })
  const tag = { 'if-none-match': before.headers.get('etag') ?? '' }
  expect((await school.client.get(path, tag)).body[0].readiness.earliest_date).toBe('2026-05-18')
  expect((await school.client.get('/students?with=exams')).status).toBe(400)
})

it.each([
  ['GB', 'Europe/London', 'GB_B', ['theory_test']],
  ['FR', 'Europe/Paris', 'FR_B', ['theory_test']],
  ['DE', 'Europe/Berlin', 'AM', ['theory_test']],
  ['DE', 'Europe/Berlin', 'BE', []],
  ['DE', 'Europe/Berlin', 'A2_STEP_A1_GE2Y', []],
])(
  'in %s (%s), a student with all units of %s lacks %j until the theory test is passed',
  async (country, timezone, code, missing) => {
    school = await aSchool(service(), { locale: 'en', country, timezone })
    const instructor = await school.instructor()
    const { id } = await school.student({ license_class_template_id: await templateOf(school, code) })
    const { requirements } = must(200, await school.client.get(`/students/${id}/progress`))
    const entries = requirements.map(({ lesson_type_id, required_units: units }: Row) => ({
      lesson_type_id,
      units,
      date: '2026-03-31',
      source: 'Elsewhere',
    }))
    must(200, await school.client.put(`/students/${id}/opening-balance`, entries))
    expect(await readinessOf(id)).toMatchObject({ ready: missing.length === 0, missing, theory_test: null })
    const passed = { instructor_id: instructor.id, exam_result: { passed: true } }
    await exam(id, 'THEORY_EXAM', '2026-05-04', passed)
    expect(await readinessOf(id)).toMatchObject({ ready: true, missing: [], theory_test: true })
  },
)

it('a failed exam sets no earliest date in a country without a waiting period', async () => {
  school = await aSchool(service(), { locale: 'en', country: 'GB', timezone: 'Europe/London' })
  const { id: instructor } = await school.instructor()
  const { id } = await school.student()
  await exam(id, 'PRACTICAL_EXAM', '2026-05-04', {
    instructor_id: instructor,
    exam_result: { passed: false },
  })
  expect(await readinessOf(id)).toMatchObject({
    missing: ['requirements', 'theory', 'theory_test'],
    earliest_date: null,
  })
})

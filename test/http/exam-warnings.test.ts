import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const TODAY = '2026-05-04'
type Warning = { readonly code: string; readonly params: object }
let school: School
let instructor_id: string

beforeEach(async () => {
  service().setClock(new Date(`${TODAY}T06:00:00Z`))
  school = await aSchool(service())
  instructor_id = String((await school.instructor()).id)
})

const OTHERS: readonly string[] = [
  'in_the_past',
  'far_ahead',
  'class_not_taught',
  'public_holiday',
  'outside_enrolment',
]
const aboutExams = (warnings: readonly Warning[]) => warnings.filter(({ code }) => !OTHERS.includes(code))

async function learner(code = 'B', fields: object = {}) {
  const license_class_template_id = await templateOf(school, code)
  const { id } = await school.student({ license_class_template_id, birth_date: '2000-01-31', ...fields })
  const [{ id: enrolment }] = must(200, await school.client.get(`/students/${id}/enrolments`))
  const tick = async (kind: string, body: object) =>
    must(200, await school.client.put(`/enrolments/${enrolment}/ticks/${kind}`, body))
  return { id: String(id), enrolment: String(enrolment), tick }
}

const exam = (student_id: string, code: string, date: string, fields: object = {}) => ({
  ...{ instructor_id, student_id, lesson_type_id: school.lessonTypes[code] },
  ...{ start_at: `${date} 10:00`, end_at: `${date} 10:45`, ...fields },
})

async function check(body: object): Promise<readonly Warning[]> {
  const { warnings } = must(200, await school.client.post('/appointments/check', body))
  return aboutExams(warnings as Warning[])
}

const taken = async (student_id: string, code: string, date: string, passed: boolean): Promise<Row> =>
  must(
    201,
    await school.client.post('/appointments', exam(student_id, code, date, { exam_result: { passed } })),
  )

it('the check of an exam names the papers that are missing or expire before it, once the school keeps some', async () => {
  const { id, tick } = await learner()
  const later = '2026-06-01'
  expect(await check(exam(id, 'PRACTICAL_EXAM', later))).toEqual([])
  await tick('approval', { date: '2025-05-31' })
  expect(await check(exam(id, 'PRACTICAL_EXAM', later))).toEqual([
    { code: 'paper_missing', params: { kinds: ['first_aid', 'theory_test'] } },
    { code: 'approval_expired', params: { valid_until: '2026-05-31' } },
  ])
  expect(await check(exam(id, 'THEORY_EXAM', '2026-05-31'))).toEqual([])
  expect(await check(exam(id, 'PRACTICE', later))).toEqual([])
  await tick('approval', { date: '2025-06-01' })
  await tick('first_aid', { date: TODAY })
  await taken(id, 'THEORY_EXAM', '2025-05-31', true)
  expect(await check(exam(id, 'PRACTICAL_EXAM', later))).toEqual([
    { code: 'test_expired', params: { valid_until: '2026-05-31' } },
  ])
  expect(await check(exam(id, 'PRACTICAL_EXAM', '2026-05-31'))).toEqual([])
  const be = await learner('BE')
  await be.tick('photo', { date: TODAY })
  expect(await check(exam(be.id, 'PRACTICAL_EXAM', later))).toEqual([
    { code: 'paper_missing', params: { kinds: ['approval', 'first_aid'] } },
  ])
})

it('an attempt too soon after a failed one is warned of, and the failed one itself is not', async () => {
  const { id } = await learner()
  const failed = await taken(id, 'THEORY_EXAM', '2026-05-01', false)
  const retry = [{ code: 'retry_too_early', params: { earliest_date: '2026-05-15' } }]
  expect(await check(exam(id, 'THEORY_EXAM', '2026-05-14'))).toEqual(retry)
  expect(await check(exam(id, 'THEORY_EXAM', '2026-05-15'))).toEqual([])
  expect(await check(exam(id, 'PRACTICAL_EXAM', '2026-05-14'))).toEqual([])
  const moved = await check({ appointment_id: failed.id, ...exam(id, 'THEORY_EXAM', '2026-05-02') })
  expect(moved).not.toContainEqual(expect.objectContaining({ code: 'retry_too_early' }))
})

it('a training that ended over two years before an exam is warned of', async () => {
  const { id, enrolment } = await learner()
  const ended = { begins_on: '2023-01-01', theory_ended_on: '2024-05-31', practice_ended_on: '2024-06-30' }
  must(200, await school.client.patch(`/enrolments/${enrolment}`, ended))
  expect(await check(exam(id, 'THEORY_EXAM', '2026-06-01'))).toEqual([
    { code: 'training_outdated', params: { ended_on: '2024-05-31', valid_until: '2026-05-31' } },
  ])
  expect(await check(exam(id, 'PRACTICAL_EXAM', '2026-06-01'))).toEqual([])
  expect(await check(exam(id, 'PRACTICAL_EXAM', '2026-07-01'))).toEqual([
    { code: 'training_outdated', params: { ended_on: '2024-06-30', valid_until: '2026-06-30' } },
  ])
})

it('slots of an exam have the warnings of their day', async () => {
  const { id } = await learner()
  await taken(id, 'PRACTICAL_EXAM', '2026-05-01', false)
  const query = `student_id=${id}&lesson_type_id=${school.lessonTypes.PRACTICAL_EXAM}&from=2026-05-14&to=2026-05-15`
  const slots: Row[] = must(
    200,
    await school.client.get(`/slots?${query}&instructor_id=${instructor_id}&limit=200&step=60&minutes=60`),
  )
  const codesOn = (day: string) =>
    new Set(
      slots
        .filter(({ start_at }) => String(start_at).startsWith(day))
        .map(({ warnings }) =>
          aboutExams(warnings as Warning[])
            .map(({ code }) => code)
            .join(),
        ),
    )
  expect([...codesOn('2026-05-14')]).toEqual(['retry_too_early'])
  expect([...codesOn('2026-05-15')]).toEqual([''])
})

it('the minimum age counts where a country allows no test before it', async () => {
  const poland = await aSchool(service(), { country: 'PL' })
  const { id } = await poland.student({
    ...{ license_class_template_id: await templateOf(poland, 'PL_B'), birth_date: '2012-02-10' },
  })
  const body = {
    ...{ instructor_id: (await poland.instructor()).id, student_id: id },
    ...{ start_at: `${TODAY} 14:00`, end_at: `${TODAY} 14:45` },
  }
  for (const code of ['THEORY_EXAM', 'PRACTICAL_EXAM']) {
    const lesson_type_id = poland.lessonTypes[code]
    const answer = await poland.client.post('/appointments/check', { ...body, lesson_type_id })
    expect(aboutExams(must(200, answer).warnings as Warning[]), code).toEqual([
      { code: 'too_early', params: { earliest_date: '2029-02-10' } },
    ])
  }
})

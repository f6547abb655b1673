import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let office: EnrolmentOffice

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
})

const DAY = '2030-04-29'
const PASSED = { exam_result: { passed: true } }
const FAILED = { exam_result: { passed: false } }
const ENDED = { outcome: 'passed', ends_on: DAY, is_current: true }
const OPEN = { outcome: null, ends_on: null, is_current: true }

/** Returns a student whose training for B began in April, and an exam that is still planned. */
async function anExam(fields: object = {}, code = 'B'): Promise<{ student: Row; exam: Row }> {
  const student = await office.lena(code)
  const [enrolment] = await office.enrolments(student)
  must(200, await office.change(enrolment as Row, { begins_on: '2030-04-01' }))
  const lesson_type_id = office.school.lessonTypes.PRACTICAL_EXAM
  const exam = await office.drive(student, DAY, { lesson_type_id, ...at('08:00', '09:00', DAY), ...fields })
  return { student, exam }
}

const setExam = ({ id }: Row, fields: object) => office.school.client.patch(`/appointments/${id}`, fields)
const first = async (student: Row) => (await office.enrolments(student))[0]
const undo = (set: string | null) => office.school.client.post(`/changes/sets/${set}/undo`)

it('ends with a passed practical test on its day, in the same set', async () => {
  const { student, exam } = await anExam()
  const answer = await setExam(exam, PASSED)
  must(200, answer)
  expect(await first(student)).toMatchObject(ENDED)
  const set = answer.headers.get('x-request-id')
  const history = must(
    200,
    await office.school.client.get(`/enrolments/${(await first(student))?.id}/history`),
  )
  expect(history[0]).toMatchObject({ set_id: set, after: { outcome: 'passed', ends_on: DAY } })
  must(200, await undo(set))
  expect(await first(student)).toMatchObject(OPEN)
})

it('ends with an exam that is entered with its result, alone and in a batch', async () => {
  const { student } = await anExam(PASSED)
  expect(await first(student)).toMatchObject(ENDED)
  const other = await office.lena()
  must(200, await office.change((await first(other)) as Row, { begins_on: '2030-04-01' }))
  const { id: instructor_id } = await office.school.instructor()
  const lesson_type_id = office.school.lessonTypes.PRACTICAL_EXAM
  const exam = {
    instructor_id,
    student_id: other.id,
    lesson_type_id,
    ...at('08:00', '09:00', DAY),
    ...PASSED,
  }
  must(200, await office.school.client.post('/appointments/batch', { appointments: [exam] }))
  expect(await first(other)).toMatchObject(ENDED)
})

it.each([
  ['a failed result', FAILED],
  ['no result', { exam_result: null }],
  ['a cancellation', { status: 'cancelled' }],
])('opens again with %s', async (_, fields) => {
  const { student, exam } = await anExam()
  must(200, await setExam(exam, PASSED))
  must(200, await setExam(exam, fields))
  expect(await first(student)).toMatchObject(OPEN)
})

it('follows the exam to another day', async () => {
  const { student, exam } = await anExam()
  must(200, await setExam(exam, PASSED))
  must(200, await setExam(exam, at('08:00', '09:00', '2030-04-30')))
  expect(await first(student)).toMatchObject({ ...ENDED, ends_on: '2030-04-30' })
})

it('stays as somebody has ended it', async () => {
  const { student, exam } = await anExam()
  const enrolment = (await first(student)) as Row
  must(200, await office.change(enrolment, { outcome: 'moved', ends_on: TODAY }))
  must(200, await setExam(exam, PASSED))
  expect(await first(student)).toMatchObject({ outcome: 'moved', ends_on: TODAY })
  must(200, await office.change(enrolment, { outcome: 'passed', ends_on: TODAY }))
  must(200, await setExam(exam, FAILED))
  expect(await first(student)).toMatchObject({ outcome: 'passed', ends_on: TODAY })
})

it('does not open beside another training for the class', async () => {
  const { student, exam } = await anExam()
  must(200, await setExam(exam, PASSED))
  must(201, await office.enrol(student, 'B'))
  must(200, await setExam(exam, FAILED))
  const outcomes = (await office.enrolments(student)).map(({ outcome }) => outcome)
  expect(outcomes.toSorted()).toEqual(['passed', null].toSorted())
})

it.each(['C_CE_JOINT', 'C1_C1E_JOINT'])(
  'goes on in a joint course, which has two exams: %s',
  async (code) => {
    const { student } = await anExam(PASSED, code)
    expect(await first(student)).toMatchObject(OPEN)
  },
)

it('goes on after a theory test and a lesson', async () => {
  const { student } = await anExam({ lesson_type_id: office.school.lessonTypes.THEORY_EXAM, ...PASSED })
  expect(await first(student)).toMatchObject(OPEN)
})

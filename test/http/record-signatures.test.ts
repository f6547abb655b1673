import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, type Client, must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { STROKES } from '../support/signing.ts'

const service = useService()
let office: EnrolmentOffice
let school: School
let lena: Row
let training: Row
let drive: Row

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
  lena = await office.lena()
  training = (await office.enrolments(lena))[0] as Row
  must(200, await office.change(training, { begins_on: '2030-03-01' }))
  drive = await school.lesson({
    ...{ instructor_id: (await school.instructor()).id, student_id: lena.id, status: 'completed' },
    ...{ lesson_type_id: school.lessonTypes.RURAL, start_at: '2030-04-04 10:00', end_at: '2030-04-04 11:30' },
  })
})

const path = () => `/enrolments/${training.id}/signatures`
const record = async (): Promise<Row> =>
  must(200, await school.client.get(`/enrolments/${training.id}/record`))
const end = async () =>
  must(
    200,
    await office.change((await office.enrolments(lena))[0] as Row, { practice_ended_on: '2030-05-01' }),
  )

async function sign(fields: object = {}, client: Client = school.client): Promise<Answer> {
  const { digest } = await record()
  return client.post(path(), { as: 'school', digest, name: 'Anna Nord', strokes: STROKES, ...fields })
}

async function userAs(role: object): Promise<{ id: string; client: Client }> {
  const user = await aUser(service(), school.tenantId, role)
  return { id: user.id, client: (await enter(service(), { tenantId: school.tenantId, user })).client }
}

it('a record is signed by school and student once the practice has ended', async () => {
  expect(await sign()).toMatchObject({ status: 409, body: { code: 'not_ended' } })
  await end()
  const { digest } = await record()
  expect(await sign({ digest: `sha256:${'0'.repeat(64)}` })).toMatchObject({
    status: 409,
    body: { code: 'record_changed', params: { digest } },
  })
  const signed = must(201, await sign())
  expect(signed).toMatchObject({
    ...{ student_id: lena.id, enrolment_id: training.id, appointment_id: null, as: 'school', digest },
    ...{ name: 'Anna Nord', by: { kind: 'user', id: school.user.id }, state: 'valid', changed: [] },
  })
  const byStudent = must(201, await sign({ as: 'student', name: 'Lena Vogt', strokes: null }))
  expect(must(200, await school.client.get(path()))).toEqual([signed, byStudent])
  const shown = (await record()).signatures as Row[]
  expect(shown.map(({ as, state }) => [as, state])).toEqual([
    ['school', 'valid'],
    ['student', 'valid'],
  ])
})

it('a later change of a lesson makes it outdated, names the change, and leaves what was signed', async () => {
  await end()
  const before = await record()
  must(201, await sign())
  const changed = must(
    200,
    await school.client.patch(`/appointments/${drive.id}`, { end_at: '2030-04-04 11:15' }),
  )
  expect(changed.warnings).toEqual([{ code: 'signed', params: { as: ['school'] } }])
  const [outdated] = must(200, await school.client.get(path())) as Row[]
  expect(outdated).toMatchObject({
    state: 'outdated',
    changed: [{ field: 'minutes', appointment_id: drive.id }],
  })
  const as = `/enrolments/${training.id}/records/${before.digest}`
  expect(must(200, await school.client.get(as))).toEqual(before)
  expect((await school.client.get(as.replace(String(before.digest), 'sha256:0'))).status).toBe(404)
  must(200, await school.client.patch(`/appointments/${drive.id}`, { end_at: '2030-04-04 11:30' }))
  expect(must(200, await school.client.get(path()))).toMatchObject([{ state: 'valid', changed: [] }])
  must(200, await school.client.patch(`/students/${lena.id}`, { last_name: 'Berg' }))
  expect(must(200, await school.client.get(path()))).toMatchObject([{ state: 'valid' }])
  must(204, await school.client.delete(`/appointments/${drive.id}`))
  expect(must(200, await school.client.get(path()))).toMatchObject([
    { state: 'outdated', changed: [{ field: 'practice', appointment_id: drive.id }] },
  ])
})

it('a check warns of what a change would make outdated, as the change does', async () => {
  await end()
  must(201, await sign())
  const type = { lesson_type_id: school.lessonTypes.NIGHT }
  const [mia, eva] = [await school.student(), await school.instructor({ license_classes: ['B'] })]
  const changes = [
    { notes: 'Brakes late' },
    { end_at: '2030-04-04 11:15' },
    { actual_start_at: '2030-04-04 10:00', actual_end_at: '2030-04-04 11:30' },
    { actual_start_at: null, actual_end_at: null },
    { start_at: '2030-04-03 10:00', end_at: '2030-04-03 11:30' },
    { practised: 'Motorway' },
    type,
    { instructor_id: eva.id },
    { enrolment_id: null },
    { student_id: mia.id },
    { status: 'planned' },
    { status: 'cancelled' },
  ]
  const { instructor_id, student_id, lesson_type_id, enrolment_id, start_at, end_at } = drive
  const original = {
    ...{ instructor_id, student_id, lesson_type_id, enrolment_id, start_at, end_at },
    ...{ status: 'completed', actual_start_at: null, actual_end_at: null, practised: null },
  }
  const results = []
  for (const change of changes) {
    const given = { appointment_id: drive.id, ...change }
    const checked = must(200, await school.client.post('/appointments/check', given)).warnings as Row[]
    const { warnings = [] } = must(200, await school.client.patch(`/appointments/${drive.id}`, change))
    const warned = checked.filter(({ code }) => code === 'signed')
    expect(warned, JSON.stringify(change)).toEqual(warnings)
    results.push(warned.length)
    must(200, await school.client.patch(`/appointments/${drive.id}`, original))
  }
  expect(results).toEqual([0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
})

it('owners sign for the school, and the users whom an owner lets', async () => {
  await end()
  const { id, client } = await userAs({ role: 'office' })
  expect(await sign({}, client)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  must(201, await sign({ as: 'student', name: 'Lena Vogt' }, client))
  expect(must(200, await school.client.get(`/users/${id}`))).toMatchObject({ may_sign: false })
  expect(must(200, await school.client.patch(`/users/${id}`, { may_sign: true }))).toMatchObject({
    may_sign: true,
  })
  must(201, await sign({}, client))
  const { client: otherInstructor } = await userAs({
    role: 'instructor',
    instructor_id: (await school.instructor()).id,
  })
  expect((await sign({}, otherInstructor)).status).toBe(404)
  expect((await otherInstructor.get(path())).status).toBe(404)
})

it('a repeated request signs once, and a drawing that is too large is refused', async () => {
  await end()
  const { digest } = await record()
  const body = { as: 'school', digest, name: 'Anna Nord', strokes: null }
  const key = { 'idempotency-key': 'one-record' }
  const first = must(201, await school.client.post(path(), body, key))
  expect(must(201, await school.client.post(path(), body, key))).toEqual(first)
  expect(must(200, await school.client.get(path()))).toHaveLength(1)
  const line = Array.from({ length: 6_600 }, (_, at) => [1000, 1000, at])
  expect((await sign({ strokes: [line] })).status).toBe(413)
})

it('a signed enrolment is not deleted', async () => {
  must(204, await school.client.delete(`/appointments/${drive.id}`))
  await end()
  must(201, await sign())
  expect(await school.client.delete(`/enrolments/${training.id}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use' },
  })
})

it('the record of another school cannot be signed or read (S53)', async () => {
  await end()
  const { digest } = await record()
  must(201, await sign())
  const other = await aSchool(service())
  expect((await sign({}, other.client)).status).toBe(404)
  expect((await other.client.get(path())).status).toBe(404)
  expect((await other.client.get(`/enrolments/${training.id}/records/${digest}`)).status).toBe(404)
})

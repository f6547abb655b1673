import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Client, must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { aDrive, digestFor, STROKES, sign } from '../support/signing.ts'

const service = useService()
let school: School
let instructor_id: string
let student_id: string
let lesson: Row

beforeEach(async () => {
  service().setClock(new Date('2026-05-04T10:00:00Z'))
  school = await aSchool(service())
  instructor_id = (await school.instructor()).id
  student_id = (await school.student()).id
  lesson = await aDrive(school, { instructor_id, student_id })
})

const pathOf = ({ id }: Row) => `/appointments/${id}/signatures`
const listed = async (): Promise<Row[]> => must(200, await school.client.get(pathOf(lesson)))
const change = async (fields: object) =>
  must(200, await school.client.patch(`/appointments/${lesson.id}`, fields))

async function instructing(own: string): Promise<Client> {
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: own })
  return (await enter(service(), { tenantId: school.tenantId, user })).client
}

it('a lesson is signed as it was shown', async () => {
  const signed = must(201, await sign(school, lesson))
  expect(signed).toEqual({
    ...{ id: expect.any(String), student_id, enrolment_id: null, appointment_id: lesson.id },
    ...{ as: 'student', name: 'Lena Vogt', at: '2026-05-04T10:00:00.000Z', digest: await digestFor(lesson) },
    ...{ by: { kind: 'user', id: school.user.id, name: expect.any(String) }, state: 'valid', changed: [] },
  })
  expect(await listed()).toEqual([signed])
})

it('the digest is the hash of the canonical JSON of nine fields', async () => {
  await change({ actual_start_at: '2026-05-04 08:05', actual_end_at: '2026-05-04 09:25' })
  const { enrolment_id, lesson_type_id } = lesson
  const text = `{"appointment_id":"${lesson.id}","date":"2026-05-04","enrolment_id":${JSON.stringify(enrolment_id)},"instructor_id":"${instructor_id}","lesson_type_id":"${lesson_type_id}","minutes":80,"start_time":"08:05","student_id":"${student_id}","topic":null}`
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const digest = `sha256:${Buffer.from(bytes).toString('hex')}`
  must(201, await sign(school, lesson, { digest }))
})

it('a lesson that has changed is not signed by the digest that was seen', async () => {
  const changed = await change({ end_at: '2026-05-04 09:15' })
  const refused = await sign(school, lesson)
  expect(refused).toMatchObject({ status: 409, body: { code: 'record_changed' } })
  expect(refused.body.params).toEqual({ digest: await digestFor(changed) })
  expect(await listed()).toEqual([])
})

it('a lesson that is not completed is not signed', async () => {
  const planned = await change({ status: 'planned' })
  expect(await sign(school, planned)).toMatchObject({ status: 409, body: { code: 'not_completed' } })
})

it('a change makes a signature outdated and names what changed, until it is taken back', async () => {
  must(201, await sign(school, lesson))
  const changed = await change({ end_at: '2026-05-04 09:15' })
  expect(changed.warnings).toEqual([{ code: 'signed', params: { as: ['student'] } }])
  const field = (name: string) => ({ field: name, appointment_id: lesson.id })
  expect(await listed()).toMatchObject([{ state: 'outdated', changed: [field('minutes')] }])
  expect(await change({ end_at: '2026-05-04 09:30' })).not.toHaveProperty('warnings')
  expect(await listed()).toMatchObject([{ state: 'valid', changed: [] }])
  await change({ status: 'planned' })
  expect(await listed()).toMatchObject([{ state: 'outdated', changed: [field('status')] }])
  await change({ status: 'completed', student_id: (await school.student()).id })
  expect(await listed()).toMatchObject([{ state: 'outdated', changed: [field('student_id')] }])
})

it('signing anew adds a signature, and the newest decides about the warning', async () => {
  must(201, await sign(school, lesson))
  const changed = await change({ end_at: '2026-05-04 09:15' })
  must(201, await sign(school, changed, { strokes: null }))
  expect(await listed()).toMatchObject([{ state: 'outdated' }, { state: 'valid' }])
  expect(await change({ notes: 'Brakes late' })).not.toHaveProperty('warnings')
})

it('a check warns before a signed lesson is changed', async () => {
  must(201, await sign(school, lesson))
  const check = async (fields: object) => {
    const { warnings } = must(
      200,
      await school.client.post('/appointments/check', { appointment_id: lesson.id, ...fields }),
    )
    return (warnings as Row[]).filter(({ code }) => code === 'signed')
  }
  expect(await check({ notes: 'Brakes late' })).toEqual([])
  expect(await check({ end_at: '2026-05-04 09:15' })).toEqual([
    { code: 'signed', params: { as: ['student'] } },
  ])
})

it('in a group each student who attended signs', async () => {
  const [ann, ben] = [await school.student(), await school.student()]
  const times = { start_at: '2026-05-03 18:00', end_at: '2026-05-03 19:30' }
  const type = { lesson_type_id: school.lessonTypes.THEORY_BASIC, seats: 5 }
  const attendees = [
    { student_id: ann.id, attended: true },
    { student_id: ben.id, attended: false },
  ]
  const booked = await school.lesson({ instructor_id, student_id: null, attendees, ...times, ...type })
  const group = must(200, await school.client.patch(`/appointments/${booked.id}`, { status: 'completed' }))
  const signed = async (student: string) =>
    sign(school, group, { student_id: student, digest: await digestFor(group, student) })
  expect(must(201, await signed(ann.id))).toMatchObject({ student_id: ann.id })
  expect(await signed(ben.id)).toMatchObject({ status: 409, body: { code: 'not_completed' } })
  const digest = await digestFor(group, ann.id)
  expect(await sign(school, group, { student_id, digest })).toMatchObject({ status: 404 })
  expect(await sign(school, group, { digest })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/student_id', code: 'required' }] },
  })
})

it('only the instructor of the lesson signs as such', async () => {
  expect(await sign(school, lesson, { as: 'instructor' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  const own = await instructing(instructor_id)
  expect(must(201, await sign({ client: own }, lesson, { as: 'instructor' }))).toMatchObject({
    as: 'instructor',
    by: { kind: 'user' },
  })
  must(201, await sign({ client: own }, lesson))
  expect(must(200, await own.get(pathOf(lesson)))).toHaveLength(2)
  const other = await instructing((await school.instructor()).id)
  expect(await sign({ client: other }, lesson)).toMatchObject({ status: 404 })
  expect(await other.get(pathOf(lesson))).toMatchObject({ status: 404 })
})

it('a drawing of more than 64 KiB and a name of more than 100 signs are refused', async () => {
  const line = Array.from({ length: 6_600 }, (_, at) => [1000, 1000, at])
  const size = JSON.stringify([line]).length
  expect(size).toBeGreaterThan(64 * 1024)
  expect(await sign(school, lesson, { strokes: [line] })).toMatchObject({
    status: 413,
    body: { code: 'body_too_large' },
  })
  expect(await sign(school, lesson, { name: 'x'.repeat(101) })).toMatchObject({ status: 400 })
  expect(await sign(school, lesson, { name: '' })).toMatchObject({ status: 400 })
  expect(await sign(school, lesson, { strokes: [] })).toMatchObject({ status: 400 })
  must(201, await sign(school, lesson, { strokes: [line.slice(0, 3_000)], name: 'x'.repeat(100) }))
})

it('a repeated request signs once', async () => {
  const key = { 'idempotency-key': 'one-signature' }
  const first = must(201, await sign(school, lesson, {}, key))
  expect(must(201, await sign(school, lesson, {}, key))).toEqual(first)
  expect(await listed()).toHaveLength(1)
})

it('a signature is in the log without its drawing, and an undo leaves it', async () => {
  const signed = await sign(school, lesson)
  const [logged] = must(200, await school.client.get('/changes?resource=signature')) as Row[]
  const { id, at: _, by: __, state: ___, changed: ____, ...fields } = signed.body
  expect(logged).toMatchObject({ resource_id: id, action: 'created', before: null, after: fields })
  const set = signed.headers.get('x-request-id')
  const undone = must(200, await school.client.post(`/changes/sets/${set}/undo`))
  expect(undone).toMatchObject({ undone: [], refused: [{ resource: 'signature', code: 'not_undoable' }] })
  expect(await listed()).toHaveLength(1)
  const rows = await service()
    .db.selectFrom('signatures')
    .select('strokes')
    .where('tenant_id', '=', school.tenantId)
    .execute()
  expect(rows).toEqual([{ strokes: STROKES }])
})

it('a deleted lesson has no signatures to show', async () => {
  must(201, await sign(school, lesson))
  must(204, await school.client.delete(`/appointments/${lesson.id}`))
  expect(await school.client.get(pathOf(lesson))).toMatchObject({ status: 404 })
  expect(await sign(school, lesson)).toMatchObject({ status: 404 })
})

it('the lessons and students of another school cannot be signed (S53)', async () => {
  must(201, await sign(school, lesson))
  const other = await aSchool(service())
  const theirs = await aDrive(other, {
    instructor_id: (await other.instructor()).id,
    student_id: (await other.student()).id,
  })
  expect(await sign(other, lesson)).toMatchObject({ status: 404 })
  expect(await other.client.get(pathOf(lesson))).toMatchObject({ status: 404 })
  expect(await sign(other, theirs, { student_id })).toMatchObject({ status: 404 })
  expect(must(200, await other.client.get(pathOf(theirs)))).toEqual([])
})

it('a student who is erased takes the signatures along, and a restricted one leaves them', async () => {
  must(201, await sign(school, lesson, { name: 'Lena Restricted' }))
  const reason = { reason: 'Asked for it' }
  expect(must(200, await school.client.post(`/students/${student_id}/erasure`, reason))).toMatchObject({
    state: 'restricted',
  })
  const named = async () => {
    const rows = await service()
      .db.selectFrom('signatures')
      .select('name')
      .where('tenant_id', '=', school.tenantId)
      .execute()
    return rows.map(({ name }) => name)
  }
  expect(await named()).toEqual(['Lena Restricted'])
})

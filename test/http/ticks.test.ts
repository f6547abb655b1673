import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const TODAY = '2026-05-04'
let school: School

beforeEach(async () => {
  service().setClock(new Date(`${TODAY}T08:00:00Z`))
  school = await aSchool(service())
})

/** Enrols a student for a class. Returns the ids of both. */
async function trained(code = 'B', fields: object = {}): Promise<{ student: string; enrolment: string }> {
  const license_class_template_id = await templateOf(school, code)
  const { id: student } = await school.student({ license_class_template_id, ...fields })
  const [{ id: enrolment }] = must(200, await school.client.get(`/students/${student}/enrolments`))
  return { student, enrolment }
}

const ticks = async (enrolment: string): Promise<Row[]> =>
  must(200, await school.client.get(`/enrolments/${enrolment}/ticks`))
const put = (enrolment: string, kind: string, body: object): Promise<Answer> =>
  school.client.put(`/enrolments/${enrolment}/ticks/${kind}`, body)
const remove = (enrolment: string, kind: string) =>
  school.client.delete(`/enrolments/${enrolment}/ticks/${kind}`)
const tickOf = async (enrolment: string, kind: string) =>
  (await ticks(enrolment)).find((one) => one.kind === kind)

async function exam(student: string, code: string, date: string, passed: boolean): Promise<Row> {
  const { id: instructor_id } = await school.instructor()
  const lesson = {
    ...{ instructor_id, student_id: student, lesson_type_id: school.lessonTypes[code] },
    ...{ start_at: `${date} 08:00`, end_at: `${date} 08:45`, exam_result: { passed } },
  }
  return must(201, await school.client.post('/appointments', lesson))
}

it('the ticks of an enrolment are those of its class, in the order of the law', async () => {
  const { enrolment } = await trained('B', { birth_date: '2000-01-31' })
  const all = await ticks(enrolment)
  expect(all.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'contract missing',
    'guardian_consent not_needed',
    'application missing',
    'approval missing',
    'identity missing',
    'photo missing',
    'sight_test missing',
    'first_aid missing',
    'theory_test missing',
    'practical_test missing',
    'licence missing',
  ])
  expect(all[6]).toEqual({
    ...{ kind: 'sight_test', state: 'missing', date: null, valid_until: null },
    ...{ needed_for: ['application'], source: null, note: null },
  })
  const bus = await ticks((await trained('D_FROM_D1')).enrolment)
  expect(bus.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['medical', 'eye_test', 'police_certificate']),
  )
  expect(await tickOf((await trained('BE')).enrolment, 'theory_test')).toMatchObject({ state: 'not_needed' })
})

it('a tick is entered with the validity of the law, replaced, and deleted', async () => {
  const { enrolment } = await trained()
  const path = `/enrolments/${enrolment}/ticks`
  const tag = (await school.client.get(path)).headers.get('etag') ?? ''
  const entered = must(200, await put(enrolment, 'sight_test', { date: '2026-02-28', note: ' Optician ' }))
  expect(entered).toEqual({
    ...{ kind: 'sight_test', state: 'done', date: '2026-02-28', valid_until: '2028-02-28' },
    ...{ needed_for: ['application'], source: 'manual', note: 'Optician' },
  })
  expect(await tickOf(enrolment, 'sight_test')).toEqual(entered)
  expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(200)
  const own = { date: '2025-05-20', valid_until: '2026-05-20' }
  expect(must(200, await put(enrolment, 'sight_test', own))).toMatchObject({ state: 'expiring', note: null })
  expect(must(200, await put(enrolment, 'photo', { date: TODAY }))).toMatchObject({ valid_until: null })
  const unlimited = { date: '2026-02-28', valid_until: null }
  expect(must(200, await put(enrolment, 'approval', unlimited))).toMatchObject({ valid_until: null })
  expect((await remove(enrolment, 'sight_test')).status).toBe(204)
  expect(await tickOf(enrolment, 'sight_test')).toMatchObject({ state: 'missing', source: null })
  expect((await remove(enrolment, 'sight_test')).status).toBe(404)
})

it('the result of an exam ticks by itself, and only its change takes that back', async () => {
  const { student, enrolment } = await trained()
  must(200, await put(enrolment, 'theory_test', { date: '2026-01-05' }))
  await exam(student, 'THEORY_EXAM', '2026-04-01', false)
  expect(await tickOf(enrolment, 'theory_test')).toMatchObject({
    source: 'manual',
    valid_until: '2027-01-05',
  })
  const { id } = await exam(student, 'THEORY_EXAM', '2026-04-15', true)
  expect(await tickOf(enrolment, 'theory_test')).toMatchObject({
    ...{ state: 'done', date: '2026-04-15', valid_until: '2027-04-15', source: 'appointment' },
  })
  for (const answer of [
    await put(enrolment, 'theory_test', { date: TODAY }),
    await remove(enrolment, 'theory_test'),
  ])
    expect([answer.status, answer.body.code, answer.body.params]).toEqual([
      409,
      'from_appointment',
      { kind: 'theory_test' },
    ])
  must(200, await school.client.patch(`/appointments/${id}`, { exam_result: null }))
  expect(await tickOf(enrolment, 'theory_test')).toMatchObject({ date: '2026-01-05', source: 'manual' })
  await exam(student, 'PRACTICAL_EXAM', '2026-04-20', true)
  expect(await tickOf(enrolment, 'practical_test')).toMatchObject({ valid_until: '2028-04-20' })
})

it('faulty days, kinds that the class does not have, and enrolments of others are refused', async () => {
  const { enrolment, student } = await trained()
  const faults = async (body: object) => {
    const { status, body: problem } = await put(enrolment, 'photo', body)
    return [status, problem.errors?.map(({ pointer, code }: Row) => `${pointer} ${code}`)]
  }
  expect(await faults({ date: '2026-05-05' })).toEqual([400, ['/date in_the_future']])
  expect(await faults({ date: TODAY, valid_until: '2026-05-03' })).toEqual([
    400,
    ['/valid_until wrong_order'],
  ])
  expect(await faults({})).toEqual([400, ['/date required']])
  expect((await put(enrolment, 'medical', { date: TODAY })).status).toBe(404)
  expect((await put(enrolment, 'horoscope', { date: TODAY })).status).toBe(404)
  const other = await aSchool(service())
  for (const [method, path] of [
    ['GET', `/enrolments/${enrolment}/ticks`],
    ['PUT', `/enrolments/${enrolment}/ticks/photo`],
    ['DELETE', `/enrolments/${enrolment}/ticks/photo`],
  ] as const) {
    const body = method === 'PUT' ? { date: TODAY } : undefined
    expect((await other.client.send(method, path, body)).status, path).toBe(404)
  }
  must(200, await put(enrolment, 'photo', { date: TODAY }))
  expect((await school.client.delete(`/enrolments/${enrolment}`)).body.code).toBe('in_use')
  await school.client.delete(`/students/${student}`)
  expect((await put(enrolment, 'photo', { date: TODAY })).status).toBe(404)
})

it('an instructor reads the ticks of own students and writes none', async () => {
  const { student, enrolment } = await trained()
  const { id: instructor_id } = await school.instructor()
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  const { client } = await enter(service(), { tenantId: school.tenantId, user })
  expect((await client.get(`/enrolments/${enrolment}/ticks`)).status).toBe(404)
  await school.lesson({
    instructor_id,
    student_id: student,
    start_at: '2026-06-01 08:00',
    end_at: '2026-06-01 09:30',
  })
  expect((await client.get(`/enrolments/${enrolment}/ticks`)).status).toBe(200)
  expect((await client.put(`/enrolments/${enrolment}/ticks/photo`, { date: TODAY })).status).toBe(403)
  expect((await client.delete(`/enrolments/${enrolment}/ticks/photo`)).status).toBe(403)
})

it('a tick is in the log, and an undo takes it back', async () => {
  const { student, enrolment } = await trained()
  const setOf = (answer: Answer) => answer.headers.get('x-request-id')
  const undo = async (answer: Answer): Promise<Row> =>
    must(200, await school.client.post(`/changes/sets/${setOf(answer)}/undo`))
  const first = await put(enrolment, 'photo', { date: '2026-05-01' })
  const second = await put(enrolment, 'photo', { date: '2026-05-02', note: 'New' })
  expect((await put(enrolment, 'photo', { date: '2026-05-02', note: 'New' })).status).toBe(200)
  const changes: Row[] = must(200, await school.client.get('/changes?resource=tick'))
  expect(changes.map(({ action, before, after }) => [action, before, after])).toEqual([
    [
      'changed',
      { date: '2026-05-01', note: null, version: 1 },
      { date: '2026-05-02', note: 'New', version: 2 },
    ],
    [
      'created',
      null,
      expect.objectContaining({ student_id: student, enrolment_id: enrolment, kind: 'photo' }),
    ],
  ])
  expect((await undo(second)).refused).toEqual([])
  expect(await tickOf(enrolment, 'photo')).toMatchObject({ date: '2026-05-01', note: null })
  const removed = await remove(enrolment, 'photo')
  await undo(removed)
  expect(await tickOf(enrolment, 'photo')).toMatchObject({ date: '2026-05-01' })
  const again = await remove(enrolment, 'photo')
  must(200, await put(enrolment, 'photo', { date: TODAY }))
  expect((await undo(again)).refused).toMatchObject([{ code: 'stale' }])
  expect((await undo(first)).refused).toHaveLength(1)
})

it('the list of students has what is missing and what expires next, until the day or a tick changes it', async () => {
  const { student, enrolment } = await trained('BE', { birth_date: '2000-01-31' })
  const { id: without } = await school.student()
  const read = async (more = 'ticks'): Promise<Answer> => school.client.get(`/students?with=${more}`)
  const of = async (id: string, more?: string) =>
    (must(200, await read(more)) as Row[]).find((one) => one.id === id)?.ticks
  const missing = ['contract', 'application', 'approval', 'identity', 'photo', 'sight_test', 'first_aid']
  const later = ['practical_test', 'licence']
  expect(await of(student)).toEqual({ missing: [...missing, ...later], expired: [], next: null })
  expect(await of(without)).toEqual({ missing: [], expired: [], next: null })
  for (const kind of missing) must(200, await put(enrolment, kind, { date: TODAY }))
  const next = { kind: 'approval', valid_until: '2027-05-04' }
  expect(await of(student, 'enrolments,ticks,readiness')).toEqual({ missing: later, expired: [], next })
  const tag = (await read()).headers.get('etag') ?? ''
  expect((await school.client.get('/students?with=ticks', { 'if-none-match': tag })).status).toBe(304)
  must(200, await put(enrolment, 'photo', { date: TODAY, note: 'New' }))
  expect((await school.client.get('/students?with=ticks', { 'if-none-match': tag })).status).toBe(304)
  must(200, await put(enrolment, 'approval', { date: '2026-05-03' }))
  expect((await school.client.get('/students?with=ticks', { 'if-none-match': tag })).status).toBe(200)
})

it('the readiness lacks papers, the approval and a recent training once the school keeps ticks', async () => {
  const { student, enrolment } = await trained()
  const missing = async () => {
    const rows: Row[] = must(200, await school.client.get('/students?with=readiness'))
    const readiness: Partial<Row> = rows.find(({ id }) => id === student)?.readiness ?? {}
    return readiness.missing
  }
  const learnt = ['requirements', 'theory', 'theory_test']
  expect(await missing()).toEqual(learnt)
  must(200, await put(enrolment, 'photo', { date: TODAY }))
  expect(await missing()).toEqual([...learnt, 'papers', 'approval'])
  must(200, await put(enrolment, 'first_aid', { date: TODAY }))
  must(200, await put(enrolment, 'approval', { date: '2025-05-03' }))
  expect(await missing()).toEqual([...learnt, 'approval'])
  must(200, await put(enrolment, 'approval', { date: '2025-05-04' }))
  expect(await missing()).toEqual(learnt)
  const ended = { begins_on: '2024-01-01', theory_ended_on: '2024-05-03' }
  must(200, await school.client.patch(`/enrolments/${enrolment}`, ended))
  expect(await missing()).toEqual([...learnt, 'training_outdated'])
})

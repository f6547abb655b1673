import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { Retention } from '../../src/contract/retention.ts'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, PASSWORD, type Row } from '../support/factory.ts'

const service = useService()
let office: EnrolmentOffice

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
})

const client = () => office.school.client
const preview = async (on?: string): Promise<Retention> =>
  must(200, await client().get(`/retention${on ? `?on=${on}` : ''}`))
const run = (body: object, headers: Record<string, string> = {}) =>
  client().post('/retention/runs', body, headers)
const statusOf = async (answer: Promise<Answer>) => (await answer).status
const idsOf = (rows: readonly { readonly student_id: string }[]) => rows.map(({ student_id }) => student_id)

/** Adds a student with one completed drive on a day, and stops the training on `TODAY`. */
async function trained(first_name: string, day: string, fields: object = {}): Promise<Row> {
  const { school, classes } = office
  const student = await school.student({ first_name, license_class_template_id: classes.B, ...fields })
  const { id } = await office.drive(student, day)
  must(200, await client().patch(`/appointments/${id}`, { status: 'completed' }))
  for (const enrolment of await office.enrolments(student))
    must(200, await office.change(enrolment, { outcome: 'stopped', ends_on: TODAY }))
  return student
}

/** Adds three students: on `TODAY`, which is 2030-05-01, one is due, one partly due, and one kept. */
async function three(): Promise<readonly [Row, Row, Row]> {
  const due = await trained('Dora', '2024-12-30')
  return [due, await trained('Paul', '2025-04-30'), await trained('Kim', '2025-05-01')]
}

it('the preview names who is due on a day, wholly or partly, with counts', async () => {
  const [due, partial, kept] = await three()
  const today = await preview()
  expect(today).toMatchObject({
    on: TODAY,
    rule: { record: { years: 5, from: 'end_of_year' }, other: { years: 5, from: 'day' } },
    due: [
      {
        student_id: due.id,
        name: `Dora ${due.last_name}`,
        enrolments: [{ license_class: 'B', ends_on: TODAY, retained_until: '2029-12-31' }],
        counts: { appointment: 1, enrolment: 1 },
      },
    ],
    partial: [{ student_id: partial.id, until: '2030-12-31' }],
    kept: [],
    unended: [],
  })
  expect(idsOf((await preview('2030-05-02')).partial).toSorted()).toEqual([partial.id, kept.id].toSorted())
  const later = await preview('2031-01-01')
  expect(idsOf(later.due).toSorted()).toEqual([due.id, partial.id, kept.id].toSorted())
  expect(await preview('2029-12-31')).toMatchObject({ due: [], partial: [{ student_id: due.id }] })
  expect((await preview()).digest).toBe(today.digest)
  expect(later.digest).not.toBe(today.digest)
})

it.each(['2030-02-30', 'x', ''])('a preview on %j is an invalid request', async (on) =>
  expect(await statusOf(client().get(`/retention?on=${on}`))).toBe(400),
)

it('an open enrolment, a coming lesson and another record keep a student', async () => {
  const [due] = await three()
  const lesson = await office.drive(due, '2030-05-01')
  expect((await preview()).kept).toMatchObject([
    { student_id: due.id, reason: 'coming_appointment', until: '2030-05-01' },
  ])
  must(200, await client().patch(`/appointments/${lesson.id}`, { status: 'cancelled' }))
  must(201, await office.enrol(due, 'A2', { begins_on: '2029-05-01' }))
  expect(await preview()).toMatchObject({
    due: [],
    kept: [{ student_id: due.id, reason: 'open_enrolment', until: null }],
    unended: [{ student_id: due.id, last_lesson_on: null }],
  })
})

it('a run erases who is due, restricts who is partly due, and keeps all else', async () => {
  const [due, partial, kept] = await three()
  const { digest } = await preview()
  const made = must(200, await run({ digest, student_ids: null }))
  expect(made).toMatchObject({
    actor: { kind: 'user', id: office.school.user.id },
    digest,
    counts: { student: 1, appointment: 1, enrolment: 1 },
    erased: [due.id],
    restricted: [partial.id],
    skipped: [],
  })
  expect(made.finished_at).not.toBeNull()
  expect(must(200, await client().get('/retention/runs'))).toEqual([made])
  expect(must(200, await client().get('/students')).map(({ id }: Row) => id)).toEqual([kept.id])
  expect(must(200, await client().get('/students?restricted=true'))).toMatchObject([
    { id: partial.id, restriction: { until: '2030-12-31' } },
  ])
  expect(must(409, await run({ digest, student_ids: null })).code).toBe('preview_outdated')
  expect(await preview()).toMatchObject({ due: [], partial: [], kept: [{ reason: 'record' }] })
  const { rows } = await sql<{ row: string }>`select run::text as row from retention_runs run
    where tenant_id = ${office.school.tenantId}`.execute(service().db)
  expect(rows.map(({ row }) => row.includes('Dora') || row.includes('Paul'))).toEqual([false])
  service().setClock(new Date('2031-01-02T09:00:00Z'))
  const { tenantId, user } = office.school
  const { client: owner } = await enter(service(), { tenantId, user })
  const { digest: next } = must(200, await owner.get('/retention'))
  const again = must(200, await owner.post('/retention/runs', { digest: next }))
  expect(again.erased.toSorted()).toEqual([partial.id, kept.id].toSorted())
  expect(must(200, await owner.get('/students?restricted=true'))).toEqual([])
})

it('a run of some erases only these, and refuses others than those of the preview', async () => {
  const [due, partial, kept] = await three()
  const { digest } = await preview()
  for (const id of [kept.id, randomUUID()])
    expect(await statusOf(run({ digest, student_ids: [due.id, id] }))).toBe(404)
  expect(must(200, await run({ digest, student_ids: [partial.id] }))).toMatchObject({
    erased: [],
    restricted: [partial.id],
  })
  expect(idsOf((await preview()).due)).toEqual([due.id])
})

it('a run needs an owner, a recent proof and the digest of today', async () => {
  await three()
  const { digest } = await preview('2031-01-01')
  expect(must(409, await run({ digest, student_ids: null })).code).toBe('preview_outdated')
  const { tenantId } = office.school
  const user = await aUser(service(), tenantId, { role: 'office' })
  const clerk = (await enter(service(), { tenantId, user })).client
  for (const path of ['/retention', '/retention/runs'])
    expect([path, await statusOf(clerk.get(path))]).toEqual([path, 403])
  const { digest: right } = await preview()
  expect(await statusOf(clerk.post('/retention/runs', { digest: right }))).toBe(403)
  await sql`update token_families set proved_at = proved_at - interval '6 minutes'
    where user_id = ${office.school.user.id}`.execute(service().db)
  expect((await run({ digest: right })).body.code).toBe('proof_required')
  must(204, await client().post('/auth/proof', { password: PASSWORD }))
  must(200, await run({ digest: right }))
})

it.each([{}, { digest: 'x' }, { digest: `sha256:${'0'.repeat(64)}`, student_ids: ['x'] }])(
  'a run with %j is an invalid request',
  async (body) => expect(await statusOf(run(body))).toBe(400),
)

it('a repeated request gets the first response, and four at once make one run', async () => {
  const [due, partial] = await three()
  const { digest } = await preview()
  const key = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all([run({ digest }), run({ digest }), run({ digest }), run({ digest }, key)])
  const runs = answers.filter(({ status }) => status === 200).map(({ body }) => body)
  expect(runs.length).toBeGreaterThan(0)
  for (const { erased, restricted } of runs) expect([erased, restricted]).toEqual([[due.id], [partial.id]])
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect(must(200, await client().get('/retention/runs'))).toHaveLength(1)
  if (answers[3]?.status === 200) expect((await run({ digest }, key)).body).toEqual(answers[3].body)
})

it('an interrupted run is continued by the same request', async () => {
  const [due, partial] = await three()
  const { digest } = await preview()
  must(200, await run({ digest, student_ids: [partial.id] }))
  await sql`update retention_runs set finished_at = null, outcomes = outcomes || jsonb_build_object(${due.id}::text, null::text)
    where tenant_id = ${office.school.tenantId}`.execute(service().db)
  const [stopped] = must(200, await client().get('/retention/runs'))
  expect(stopped).toMatchObject({
    skipped: [{ student_id: due.id, reason: 'not_reached' }],
    finished_at: null,
  })
  expect(must(200, await run({ digest }))).toMatchObject({
    id: stopped.id,
    erased: [due.id],
    restricted: [partial.id],
    skipped: [],
  })
})

it('a student who has changed since is looked at again', async () => {
  const [due, partial] = await three()
  const { digest } = await preview()
  must(200, await run({ digest, student_ids: [partial.id] }))
  await sql`update retention_runs set finished_at = null, outcomes = outcomes || jsonb_build_object(${due.id}::text, null::text)
    where tenant_id = ${office.school.tenantId}`.execute(service().db)
  must(200, await client().put(`/students/${due.id}/hold`, { reason: 'Dispute' }))
  expect(must(200, await run({ digest }))).toMatchObject({
    erased: [],
    skipped: [{ student_id: due.id, reason: 'hold' }],
  })
  must(200, await client().get(`/students/${due.id}`))
})

it('texts about others keep a student unless that is agreed on', async () => {
  const due = await trained('Lena', '2024-12-30', { last_name: 'Vogtland' })
  const mia = await office.school.student({ first_name: 'Mia', notes: 'Cousin of Lena Vogtland' })
  const { digest } = await preview()
  expect(must(200, await run({ digest }))).toMatchObject({
    erased: [],
    skipped: [{ student_id: due.id, reason: 'mentioned_elsewhere' }],
  })
  expect(must(200, await run({ digest, agreed: true })).erased).toEqual([due.id])
  expect(must(200, await client().get(`/students/${mia.id}`)).notes).toBe('Cousin of …')
})

it('a student without training is due five years after the last activity', async () => {
  const { id } = await office.school.student({ first_name: 'Nora' })
  await sql`update students set updated_at = '2025-04-30 12:00Z' where id = ${id}`.execute(service().db)
  expect((await preview()).due).toMatchObject([{ student_id: id, enrolments: [] }])
  expect((await preview('2030-04-30')).due).toEqual([])
  must(200, await run({ digest: (await preview()).digest }))
  expect(await statusOf(client().get(`/students/${id}`))).toBe(404)
})

it('a school of a country without a rule has nothing due', async () => {
  const school = await aSchool(service(), { country: 'NL' })
  expect(must(200, await school.client.get('/retention?on=2090-01-01'))).toMatchObject({
    rule: null,
    due: [],
    partial: [],
  })
})

import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { findingsIn } from '../support/doctor.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row } from '../support/factory.ts'

const service = useService()
let office: EnrolmentOffice
let lena: Row

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  lena = await office.lena()
})

const DISPUTE = { reason: 'Dispute', until: '2030-06-30' }
const path = () => `/students/${lena.id}/hold`
const client = () => office.school.client
const statusOf = async (answer: Promise<Answer>) => (await answer).status

it('an owner holds a student, replaces the hold and ends it, all in the history', async () => {
  expect(await statusOf(client().get(path()))).toBe(404)
  expect(must(200, await client().put(path(), DISPUTE))).toEqual(DISPUTE)
  expect(must(200, await client().get(path()))).toEqual(DISPUTE)
  expect(must(200, await client().put(path(), { reason: 'Court' }))).toEqual({ reason: 'Court', until: null })
  must(200, await client().put(path(), { reason: 'Court', until: null }))
  must(204, await client().delete(path()))
  expect(await statusOf(client().delete(path()))).toBe(404)
  const history: Row[] = must(200, await client().get(`/students/${lena.id}/history`))
  expect(
    history.slice(0, 3).map(({ after }) => [(after as Row).hold_reason, (after as Row).hold_until]),
  ).toEqual([
    [null, null],
    ['Court', null],
    ['Dispute', '2030-06-30'],
  ])
  expect(await findingsIn(service().db, office.school.tenantId)).toEqual([])
})

it('a student on hold is not erased until the hold ends, deleted or not', async () => {
  must(204, await client().delete(`/students/${lena.id}`))
  must(200, await client().put(path(), DISPUTE))
  const erase = () => client().post(`/students/${lena.id}/erasure`, { reason: 'asked' })
  const { code, params } = must(409, await erase())
  expect([code, params]).toEqual(['on_hold', { until: '2030-06-30' }])
  expect(must(200, await client().get('/retention')).kept).toMatchObject([
    { student_id: lena.id, reason: 'hold', until: '2030-06-30' },
  ])
  must(200, await client().put(path(), { reason: 'Dispute', until: '2030-04-30' }))
  expect(must(200, await client().get('/retention')).kept).toEqual([])
  expect(must(200, await erase()).state).toBe('restricted')
  for (const answer of [client().get(path()), client().put(path(), DISPUTE), client().delete(path())])
    expect(await statusOf(answer)).toBe(404)
  expect(await findingsIn(service().db, office.school.tenantId)).toEqual([])
  must(204, await client().delete(`/students/${lena.id}/erasure`))
  expect(await statusOf(client().get(path()))).toBe(404)
  expect(await findingsIn(service().db, office.school.tenantId)).toEqual([])
})

it('the undo of the set does not end a hold', async () => {
  const { headers } = await client().put(path(), DISPUTE)
  must(200, await client().post(`/changes/sets/${headers.get('x-request-id')}/undo`))
  expect(must(200, await client().get(path()))).toEqual(DISPUTE)
})

it('only owners of the school have to do with holds', async () => {
  must(200, await client().put(path(), DISPUTE))
  const { tenantId } = office.school
  const user = await aUser(service(), tenantId, { role: 'office' })
  const clerk = (await enter(service(), { tenantId, user })).client
  const other = await aSchool(service())
  for (const [who, status] of [
    [clerk, 403],
    [other.client, 404],
  ] as const) {
    expect(await statusOf(who.get(path()))).toBe(status)
    expect(await statusOf(who.put(path(), { reason: 'Mine' }))).toBe(status)
    expect(await statusOf(who.delete(path()))).toBe(status)
  }
  expect(await statusOf(client().put(`/students/${randomUUID()}/hold`, DISPUTE))).toBe(404)
  expect(must(200, await client().get(path()))).toEqual(DISPUTE)
})

it.each([{}, { reason: '' }, { reason: 'x'.repeat(201) }, { reason: 'x', until: '2030-02-30' }])(
  'a hold with %j is an invalid request',
  async (body) => expect(await statusOf(client().put(path(), body))).toBe(400),
)

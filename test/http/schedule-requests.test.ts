import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, historyOf } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const PATH = '/schedule-requests'
const SUMMER = { start_date: '2026-08-03', end_date: '2026-08-14', note: 'Summer' }
const HOURS = { availability_windows: [{ weekday: 1, start: '08:00', end: '12:00' }] }

let school: School
let jonas: Row
let instructor: Client

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ vacations: [{ start_date: '2026-12-24', end_date: '2026-12-26' }] })
  instructor = await clientOf(jonas.id)
})

async function clientOf(instructor_id: string): Promise<Client> {
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  return (await enter(service(), { tenantId: school.tenantId, user })).client
}

async function asked(fields: object = SUMMER): Promise<Row> {
  const { status, text, body } = await instructor.post(PATH, { instructor_id: jonas.id, ...fields })
  expect(status, text).toBe(201)
  return body
}

const decide = ({ id }: Row, change: object, client = school.client) => client.patch(`${PATH}/${id}`, change)
const stored = async () => (await school.client.get(`/instructors/${jonas.id}`)).body

describe('a schedule request of an instructor', () => {
  it('is visible to instructor and office, and changes nothing while it is open', async () => {
    const before = await stored()
    const request = await asked()
    expect(request).toMatchObject({
      ...SUMMER,
      instructor_id: jonas.id,
      availability_windows: null,
      windows_before: null,
      status: 'open',
      answer: null,
      version: 1,
    })
    for (const client of [instructor, school.client]) {
      expect((await client.get(`${PATH}/${request.id}`)).body).toEqual(request)
      expect((await client.get(`${PATH}?status=open`)).body).toEqual([request])
    }
    expect((await school.client.get(`${PATH}?status=declined`)).body).toEqual([])
    expect(await stored()).toEqual(before)
  })

  it('for hours changes only the requested weekdays, and keeps later changes of the office', async () => {
    const day = (weekday: number, end = '17:00') => ({ weekday, start: '08:00', end })
    const setHours = (...availability_windows: object[]) =>
      school.client.patch(`/instructors/${jonas.id}`, { availability_windows })
    await setHours(day(1), day(2))
    const request = await asked({ availability_windows: [day(1, '12:00'), day(2)] })
    expect(request).toMatchObject({ windows_before: [day(1), day(2)] })
    await setHours(day(1), day(2, '20:00'), day(5))
    expect((await decide(request, { status: 'accepted' })).status).toBe(200)
    expect((await stored()).availability_windows).toEqual([day(1, '12:00'), day(2, '20:00'), day(5)])
  })

  it('for days off adds a vacation to the existing ones when accepted', async () => {
    const request = await asked()
    const { status, body } = await decide(request, { status: 'accepted', answer: 'Have fun.' })
    expect([status, body]).toEqual([
      200,
      { ...request, status: 'accepted', answer: 'Have fun.', version: 2, updated_at: expect.anything() },
    ])
    expect((await stored()).vacations).toEqual([
      { start_date: '2026-12-24', end_date: '2026-12-26', note: null },
      SUMMER,
    ])
    const lesson = await school.book({ instructor_id: jonas.id, ...at('08:00', '09:30', '2026-08-03') })
    expect(lesson.body.code).toBe('instructor_on_vacation')
  })

  it('for days off adds no vacation when accepted if the office has already recorded one', async () => {
    const request = await asked()
    const { start_date } = SUMMER
    const recorded = { start_date, end_date: '2026-08-31', note: 'Summer' }
    await school.client.patch(`/instructors/${jonas.id}`, { vacations: [recorded] })
    expect((await decide(request, { status: 'accepted' })).status).toBe(200)
    expect((await stored()).vacations).toEqual([recorded])
  })

  it('for hours replaces all hours when accepted', async () => {
    await decide(await asked(HOURS), { status: 'accepted' })
    expect(await stored()).toMatchObject(HOURS)
    await decide(await asked({ availability_windows: [] }), { status: 'accepted' })
    expect((await stored()).availability_windows).toEqual([])
  })

  it.each([
    ['declined', () => school.client],
    ['withdrawn', () => instructor],
    ['withdrawn', () => school.client],
  ])('that is %s changes nothing', async (status, by) => {
    const before = await stored()
    const answer = await decide(await asked(), { status }, by())
    expect([answer.status, answer.body.status]).toEqual([200, status])
    expect(await stored()).toEqual(before)
  })

  it('is decided once: a repeat gets the same response, another decision 409 already_decided', async () => {
    const request = await asked()
    const first = await decide(request, { status: 'accepted' })
    const again = await decide(request, { status: 'accepted' })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await stored()).vacations).toHaveLength(2)
    for (const [client, status] of [
      [school.client, 'declined'],
      [instructor, 'withdrawn'],
    ] as const) {
      const answer = await decide(request, { status }, client)
      expect([answer.status, answer.body.code]).toEqual([409, 'already_decided'])
      expect(answer.body.params).toEqual({ status: 'accepted' })
    }
  })

  it('cannot be decided with a stale If-Match (412)', async () => {
    const { id } = await asked()
    await decide({ id }, { status: 'withdrawn' }, instructor)
    const late = await school.client.patch(`${PATH}/${id}`, { status: 'accepted' }, { 'if-match': '"1"' })
    expect([late.status, late.body.code]).toEqual([412, 'stale'])
  })

  it.each(['accepted', 'declined'])(
    'cannot be %s or answered by the instructor who made it (403)',
    async (status) => {
      const request = await asked()
      for (const change of [{ status }, { status: 'withdrawn', answer: 'x' }]) {
        const { status: code, body } = await decide(request, change, instructor)
        expect([code, body.code]).toEqual([403, 'forbidden'])
      }
    },
  )

  it('for another instructor cannot be read, decided or created', async () => {
    const other = await school.instructor()
    const theirs = await clientOf(other.id)
    const request = await asked()
    expect((await theirs.get(PATH)).body).toEqual([])
    expect((await theirs.get(`${PATH}?instructor_id=${jonas.id}`)).body).toEqual([])
    expect((await theirs.get(`${PATH}/${request.id}`)).status).toBe(404)
    expect((await decide(request, { status: 'withdrawn' }, theirs)).status).toBe(404)
    expect((await theirs.post(PATH, { instructor_id: jonas.id, ...SUMMER })).status).toBe(404)
    expect((await school.client.get(PATH)).body).toEqual([request])
  })

  it('is logged, and its acceptance is in one set with the change of the instructor', async () => {
    const request = await asked()
    const { headers } = await decide(request, { status: 'accepted' })
    const [decided, made] = await changesOf(school.client, '?resource=schedule_request')
    expect(made).toMatchObject({ action: 'created', after: { ...SUMMER, status: 'open', version: 1 } })
    expect(decided).toMatchObject({
      before: { status: 'open', version: 1 },
      after: { status: 'accepted', version: 2 },
    })
    const [granted] = await historyOf(school.client, `/instructors/${jonas.id}`)
    expect([decided?.set_id, granted?.set_id]).toEqual(Array(2).fill(headers.get('x-request-id')))
  })

  it('is created once per Idempotency-Key', async () => {
    const ask = () =>
      instructor.post(PATH, { instructor_id: jonas.id, ...SUMMER }, { 'idempotency-key': 'once' })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect((await instructor.get(PATH)).body).toHaveLength(1)
  })

  it('cannot be accepted, and stays open, if the instructor already has 200 vacations', async () => {
    const vacations = Array.from({ length: 200 }, () => ({
      start_date: '2026-08-03',
      end_date: '2026-08-03',
    }))
    await school.client.patch(`/instructors/${jonas.id}`, { vacations })
    const request = await asked()
    const { status, body } = await decide(request, { status: 'accepted' })
    expect([status, body.errors[0]]).toMatchObject([400, { pointer: '/status', code: 'out_of_range' }])
    expect((await school.client.get(`${PATH}/${request.id}`)).body).toEqual(request)
  })

  it.each([
    ['no dates and no hours', {}, '/start_date', 'required'],
    ['only the start', { start_date: '2026-08-03' }, '/end_date', 'required'],
    ['an end before the start', { ...SUMMER, end_date: '2026-08-02' }, '/end_date', 'wrong_order'],
    ['both dates and hours', { ...SUMMER, ...HOURS }, '/start_date', 'not_allowed'],
    [
      'hours that end before they begin',
      { availability_windows: [{ weekday: 1, start: '12:00', end: '08:00' }] },
      '/availability_windows/0/end',
      'wrong_order',
    ],
    ['a status', { ...SUMMER, status: 'accepted' }, '/status', 'unknown_field'],
  ])('is rejected with 400 if it has %s', async (_, fields, pointer, code) => {
    const { status, body } = await instructor.post(PATH, { instructor_id: jonas.id, ...fields })
    expect([status, body.errors[0]]).toMatchObject([400, { pointer, code }])
    expect((await school.client.get(PATH)).body).toEqual([])
  })
})

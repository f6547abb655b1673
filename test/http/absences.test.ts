import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

type Fault = { readonly pointer: string }

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const lesson = (instructor_id: string, start_at: string, end_at: string) => ({
  instructor_id,
  lesson_type_id: school.lessonTypes.PRACTICE,
  start_at,
  end_at,
})
const book = (id: string, start_at: string, end_at: string) =>
  school.client.post('/appointments', lesson(id, start_at, end_at))
const refusal = ({ status, body }: Answer) => [status, body.code, body.params]
const startsOn = async (id: string, date: string) => {
  const query = `from=${date}&to=${date}&minutes=60&instructor_id=${id}&limit=200&step=60&time_from=08:00&time_to=18:00`
  const { body } = await school.client.get(`/slots?${query}`)
  return body.map(({ start_at }: { start_at: string }) => start_at.slice(11))
}

describe('an absence of an instructor', () => {
  const absence = { start_at: '2031-05-05 13:00', end_at: '2031-05-05 15:30', note: 'Werkstatt' }

  it('blocks lessons that overlap it, but not lessons that only touch it', async () => {
    const { id, absences } = await school.instructor({ absences: [absence] })
    expect(absences).toEqual([absence])
    const refused = [409, 'instructor_on_vacation', absence]
    const { body, status } = await book(id, '2031-05-05 12:30', '2031-05-05 13:15')
    expect([status, body.code, body.params]).toEqual(refused)
    expect(body.detail).toBe('The instructor is away from 2031-05-05 13:00 to 2031-05-05 15:30.')
    expect(refusal(await book(id, '2031-05-05 15:00', '2031-05-05 16:00'))).toEqual(refused)
    expect(await startsOn(id, '2031-05-05')).toEqual([
      '08:00',
      '09:00',
      '10:00',
      '11:00',
      '12:00',
      '16:00',
      '17:00',
    ])
    expect((await book(id, '2031-05-05 12:00', '2031-05-05 13:00')).status).toBe(201)
    expect((await book(id, '2031-05-05 15:30', '2031-05-05 16:30')).status).toBe(201)
  })

  it('may span several days, is replaced by a PATCH and restored by its undo', async () => {
    const long = { start_at: '2031-06-02 12:00', end_at: '2031-06-04 09:00' }
    const { id } = await school.instructor({ absences: [long] })
    const stored = (await school.client.get(`/instructors/${id}`)).body
    expect(stored.absences).toEqual([{ ...long, note: null }])
    expect((await book(id, '2031-06-03 10:00', '2031-06-03 11:00')).body.code).toBe('instructor_on_vacation')
    expect((await book(id, '2031-06-04 09:00', '2031-06-04 10:00')).status).toBe(201)
    const changed = await school.client.patch(`/instructors/${id}`, { absences: [absence] })
    expect(changed.body.absences).toEqual([absence])
    expect((await school.client.patch(`/instructors/${id}`, { absences: [absence] })).body.version).toBe(2)
    const [change] = (await school.client.get(`/instructors/${id}/history`)).body
    expect(change.before.absences).toEqual([{ ...long, note: null }])
    const undone = await school.client.post(`/changes/sets/${changed.headers.get('x-request-id')}/undo`)
    expect(undone.body.undone).toEqual([id])
    expect((await school.client.get(`/instructors/${id}`)).body.absences).toEqual([{ ...long, note: null }])
    expect((await school.client.get('/bootstrap')).body.instructors).toContainEqual(
      expect.objectContaining({ id, absences: [{ ...long, note: null }] }),
    )
  })

  it('is reported by the impact route, and blocks the lesson in a check that assumes it', async () => {
    const { id } = await school.instructor()
    const { body: booked } = await book(id, '2031-05-05 14:00', '2031-05-05 14:45')
    const { body } = await school.client.post(`/instructors/${id}/impact`, { absences: [absence] })
    expect(body.appointments).toMatchObject([
      { appointment: { id: booked.id }, refusals: [{ code: 'instructor_on_vacation', params: absence }] },
    ])
    const check = await school.client.post('/appointments/check', {
      ...lesson(id, '2031-05-05 15:00', '2031-05-05 15:30'),
      assumed: [{ instructor_id: id, change: { absences: [absence] } }],
    })
    expect(check.body.allowed).toBe(false)
  })

  it('must end after it begins', async () => {
    const swapped = { start_at: absence.end_at, end_at: absence.start_at }
    const answer = await school.client.post('/instructors', {
      first_name: 'Ute',
      last_name: 'Brandt',
      absences: [absence, swapped],
    })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/absences/1/end_at'])
  })
})

it('an absence, stored or assumed, cannot start or end at a time skipped by the clock change', async () => {
  const { id } = await school.instructor()
  const times = { start_at: '2031-03-30 02:30', end_at: '2031-03-30 10:00' }
  const pointers = ({ status, body }: Answer) => [status, ...body.errors.map((one: Fault) => one.pointer)]
  const change = { absences: [{ ...times, start_at: '2031-03-29 12:00', end_at: '2031-03-30 02:00' }, times] }
  const faults = ['/absences/0/end_at', '/absences/1/start_at']
  expect(pointers(await school.client.patch(`/instructors/${id}`, change))).toEqual([400, ...faults])
  expect(pointers(await school.client.post(`/instructors/${id}/impact`, change))).toEqual([400, ...faults])
  const assumed = [{ instructor_id: id, change }]
  const check = { ...lesson(id, '2031-05-05 08:00', '2031-05-05 09:00'), assumed }
  expect(pointers(await school.client.post('/appointments/check', check))).toEqual([
    400,
    ...faults.map((pointer) => `/assumed/0/change${pointer}`),
  ])
})

describe('working hours with dates', () => {
  // 2031-05-05 is a Monday.
  const from8 = { weekday: 1, start: '08:00', end: '12:00' }

  it('apply only on their dates, both ends included', async () => {
    const before = { ...from8, valid_from: null, valid_to: '2031-05-11' }
    const after = { weekday: 1, start: '14:00', end: '18:00', valid_from: '2031-05-12', valid_to: null }
    const { id } = await school.instructor({ availability_windows: [before, after] })
    const { body } = await school.client.get(`/instructors/${id}`)
    expect(body.availability_windows).toEqual([before, after])
    expect(await startsOn(id, '2031-05-05')).toEqual(['08:00', '09:00', '10:00', '11:00'])
    expect(await startsOn(id, '2031-05-12')).toEqual(['14:00', '15:00', '16:00', '17:00'])
    expect(refusal(await book(id, '2031-05-12 09:00', '2031-05-12 10:00'))).toEqual([
      409,
      'outside_availability',
      { date: '2031-05-12', windows: [after] },
    ])
    expect((await book(id, '2031-05-05 09:00', '2031-05-05 10:00')).status).toBe(201)
  })

  it('make the instructor unavailable on days when none of them is valid', async () => {
    const ended = { ...from8, valid_to: '2031-05-04' }
    const { id } = await school.instructor({ availability_windows: [ended] })
    expect(refusal(await book(id, '2031-05-05 09:00', '2031-05-05 10:00'))).toEqual([
      409,
      'outside_availability',
      { date: '2031-05-05', windows: [] },
    ])
  })

  it('omit valid_from and valid_to from the response if both are null', async () => {
    const { id } = await school.instructor({
      availability_windows: [from8, { ...from8, weekday: 2, valid_from: null, valid_to: null }],
    })
    const { body } = await school.client.get(`/instructors/${id}`)
    expect(body.availability_windows).toEqual([from8, { ...from8, weekday: 2 }])
    expect((await school.client.get('/tenant')).body.default_availability_windows).not.toContainEqual(
      expect.objectContaining({ valid_from: null }),
    )
  })

  it('in turn apply in every n-th week from their first date, which they need', async () => {
    const turn = { ...from8, valid_from: '2031-05-07', valid_to: null, every_weeks: 2 }
    const { id } = await school.instructor({
      availability_windows: [turn, { ...from8, weekday: 2, every_weeks: 1 }],
    })
    const { body } = await school.client.get(`/instructors/${id}`)
    expect(body.availability_windows).toEqual([turn, { ...from8, weekday: 2 }])
    for (const [date, starts] of [
      ['2031-05-12', []],
      ['2031-05-19', ['08:00', '09:00', '10:00', '11:00']],
      ['2031-05-26', []],
    ] as const)
      expect(await startsOn(id, date)).toEqual(starts)
    expect(refusal(await book(id, '2031-05-26 09:00', '2031-05-26 10:00'))).toMatchObject([
      409,
      'outside_availability',
      { windows: [] },
    ])
    expect((await book(id, '2031-05-19 09:00', '2031-05-19 10:00')).status).toBe(201)
    const { every_weeks, ...weekly } = turn
    must(200, await school.client.patch(`/instructors/${id}`, { availability_windows: [weekly] }))
    expect(await startsOn(id, '2031-05-26')).toEqual(['08:00', '09:00', '10:00', '11:00'])
    const uncounted = { availability_windows: [{ ...from8, every_weeks }] }
    const wrong = await school.client.patch(`/instructors/${id}`, uncounted)
    expect([wrong.status, wrong.body.errors]).toMatchObject([
      400,
      [{ pointer: '/availability_windows/0/valid_from', code: 'required' }],
    ])
    const tooRare = { availability_windows: [{ ...turn, every_weeks: 5 }] }
    expect((await school.client.patch(`/instructors/${id}`, tooRare)).status).toBe(400)
  })

  it('must not end before their first date', async () => {
    const wrong = { ...from8, valid_from: '2031-05-12', valid_to: '2031-05-11' }
    const answer = await school.client.post('/instructors', {
      first_name: 'Ute',
      last_name: 'Brandt',
      availability_windows: [wrong],
    })
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/availability_windows/0/valid_to'])
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, HOURS, MONDAY, on, TUESDAY, WEDNESDAY } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import type { Row, School } from '../support/factory.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let own: Row
let other: Row

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  own = office.ill
  other = office.other
})

type Planned = {
  readonly appointment: Row
  readonly take_over: readonly Row[]
  readonly other_vehicle: readonly Row[]
  readonly move: readonly Row[]
  readonly proposal: Row
}

const post = (path: string, body: object, headers = {}) => school.client.post(path, body, headers)
const planned = async (path: string, body: object): Promise<readonly Planned[]> => {
  const { status, body: plan, text } = await post(path, body)
  expect(status, text).toBe(200)
  return plan.appointments
}
const vehicle = async (fields: object): Promise<Row> => {
  const { status, body, text } = await post('/vehicles', { kind: 'car', ...fields })
  expect(status, text).toBe(201)
  return body
}

describe('an absence of a vehicle', () => {
  const days = { start_date: MONDAY, end_date: TUESDAY, note: 'Werkstatt' }
  let golf: Row
  let polo: Row

  beforeEach(async () => {
    golf = await vehicle({ name: 'Golf', gearbox: 'manual' })
    polo = await vehicle({ name: 'Polo', gearbox: 'manual' })
  })

  it('lists its lessons with the other vehicles that are free then, and other times', async () => {
    await vehicle({ name: 'Automat', gearbox: 'automatic' })
    await vehicle({ name: 'Kraftrad', kind: 'motorcycle' })
    const first = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const second = await office.lesson(TUESDAY, 9, { vehicle_ids: [golf.id] })
    await office.lesson(MONDAY, 11, { vehicle_ids: [polo.id] })
    await office.lesson(WEDNESDAY, 9, { vehicle_ids: [golf.id] })
    await office.lesson(TUESDAY, 9, {
      instructor_id: other.id,
      student_id: (await school.student()).id,
      vehicle_ids: [polo.id],
    })
    const [one, two, ...rest] = await planned(`/vehicles/${golf.id}/absence-plan`, days)
    expect(rest).toEqual([])
    expect(one).toMatchObject({
      appointment: first,
      phones: ['+49 30 1', '0171 2'],
      take_over: [],
      other_vehicle: [{ instructor_id: own.id, start_at: first.start_at, vehicle_ids: [polo.id] }],
      proposal: on(first, 'other_vehicle', { vehicle_ids: [polo.id] }),
    })
    expect(two).toMatchObject({
      appointment: second,
      take_over: [],
      other_vehicle: [],
      proposal: { action: 'move', start_at: `${TUESDAY} 10:00`, vehicle_ids: [polo.id] },
    })
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.absences).toEqual([])
  })

  it('plans and stores the end of its use in the same way, for all of its lessons to come', async () => {
    const first = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    const last = await office.lesson('2030-11-04', 9, { vehicle_ids: [golf.id] })
    await office.lesson('2030-05-02', 9, { vehicle_ids: [golf.id] })
    const [one, two, ...rest] = await planned(`/vehicles/${golf.id}/change-plan`, { active: false })
    expect(rest).toEqual([])
    expect(one?.proposal).toEqual(on(first, 'other_vehicle', { vehicle_ids: [polo.id] }))
    expect(two).toMatchObject({ appointment: last, take_over: [] })
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.active).toBe(true)
    const path = `/vehicles/${golf.id}/changes`
    const kept = [on(first, 'other_vehicle', { vehicle_ids: [polo.id] }), on(last, 'keep')]
    const partly = await post(path, { active: false, decisions: kept.slice(1) })
    expect([partly.status, partly.body.params?.undecided_ids]).toEqual([409, [first.id]])
    const stale = await school.client.post(path, { active: false, decisions: kept }, { 'if-match': '"7"' })
    expect([stale.status, stale.body.code]).toEqual([412, 'stale'])
    expect((await post(path, { active: true, decisions: kept })).status).toBe(400)
    const answer = await post(path, { active: false, decisions: kept })
    expect(answer.status, answer.text).toBe(200)
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.active).toBe(false)
    expect((await office.read(first.id)).vehicle_ids).toEqual([polo.id])
    expect((await office.undo(answer.body.set_id)).body.refused).toEqual([])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.active).toBe(true)
    expect((await office.read(first.id)).vehicle_ids).toEqual([golf.id])
  })

  it('stores the absence with all decisions as one set, which one undo takes back', async () => {
    const [first, second, third] = [
      await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] }),
      await office.lesson(MONDAY, 11, { vehicle_ids: [golf.id] }),
      await office.lesson(TUESDAY, 9, { vehicle_ids: [golf.id] }),
    ]
    const path = `/vehicles/${golf.id}/absences`
    const decisions = [
      on(first, 'other_vehicle', { vehicle_ids: [polo.id] }),
      on(second, 'cancel', { cancellation: { by: 'school', reason: 'vehicle' } }),
      on(third, 'move', { start_at: `${WEDNESDAY} 08:00`, end_at: `${WEDNESDAY} 09:00` }),
    ]
    const partly = await post(path, { ...days, decisions: decisions.slice(1) })
    expect([partly.status, partly.body.code, partly.body.params?.undecided_ids]).toEqual([
      409,
      'plan_outdated',
      [first.id],
    ])
    const answer = await post(path, { ...days, decisions })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.appointments).toMatchObject([
      { vehicle_ids: [polo.id], start_at: first.start_at },
      { status: 'cancelled', cancellation: { reason: 'vehicle' } },
      { vehicle_ids: [golf.id], start_at: `${WEDNESDAY} 08:00` },
    ])
    const stored = { start_at: `${MONDAY} 00:00`, end_at: `${WEDNESDAY} 00:00`, note: 'Werkstatt' }
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.absences).toEqual([stored])
    const undone = await office.undo(answer.body.set_id)
    expect(undone.body.refused).toEqual([])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.absences).toEqual([])
    for (const { id, start_at } of [first, second, third])
      expect(await office.read(id)).toMatchObject({ status: 'planned', start_at, vehicle_ids: [golf.id] })
  })

  it('names the lesson whose decision a rule refuses, and writes nothing', async () => {
    const lesson = await office.lesson(MONDAY, 9, { vehicle_ids: [golf.id] })
    await school.client.patch(`/vehicles/${polo.id}`, { active: false })
    const path = `/vehicles/${golf.id}/absences`
    const refused = await post(path, {
      ...days,
      decisions: [on(lesson, 'other_vehicle', { vehicle_ids: [polo.id] })],
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'vehicle_inactive'])
    expect(refused.body.params).toMatchObject({ decision_appointment_id: lesson.id, vehicle_id: polo.id })
    const missing = await post(path, { ...days, decisions: [on(lesson, 'other_vehicle')] })
    expect([missing.status, missing.body.errors?.[0]?.pointer]).toEqual([400, '/decisions/0/vehicle_ids'])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.version).toBe(1)
  })
})

describe('a closure with decisions', () => {
  const days = { start_date: MONDAY, end_date: MONDAY, note: 'Betriebsausflug' }

  it('lists the lessons of all instructors with times on other days, and is one set', async () => {
    const first = await office.lesson(MONDAY, 9)
    const second = await office.lesson(MONDAY, 10, { instructor_id: other.id, student_id: null })
    await office.lesson(TUESDAY, 9)
    const plan = await planned('/closures/plan', days)
    expect(plan.map(({ appointment, take_over }) => [appointment.id, take_over])).toEqual([
      [first.id, []],
      [second.id, []],
    ])
    for (const { move, appointment } of plan)
      for (const slot of move) {
        expect(String(slot.start_at) > `${TUESDAY} 00:00`, String(slot.start_at)).toBe(true)
        expect(slot.instructor_id).toBe(appointment.instructor_id)
      }
    const decisions = plan.map(({ proposal }) => proposal)
    const answer = await post('/closures/decided', { ...days, decisions })
    expect(answer.status, answer.text).toBe(200)
    expect((await school.client.get('/closures')).body).toMatchObject([days])
    expect(answer.body.appointments.map(({ start_at }: Row) => start_at)).toEqual(
      plan.map(({ proposal }) => proposal.start_at),
    )
    const { body } = await office.undo(answer.body.set_id)
    expect(body.refused).toEqual([])
    expect((await school.client.get('/closures')).body).toEqual([])
    expect((await office.read(first.id)).start_at).toBe(`${MONDAY} 09:00`)
  })

  it('rejects too many days with 400, and closed days refuse what a decision would move there', async () => {
    const long = await post('/closures/plan', { start_date: MONDAY, end_date: '2030-08-07' })
    expect([long.status, long.body.errors?.[0]?.pointer]).toEqual([400, '/end_date'])
    const lesson = await office.lesson(MONDAY, 9)
    const times = { start_at: `${MONDAY} 12:00`, end_at: `${MONDAY} 13:00` }
    const refused = await post('/closures/decided', { ...days, decisions: [on(lesson, 'move', times)] })
    expect([refused.status, refused.body.code]).toEqual([409, 'school_closed'])
    expect((await school.client.get('/closures')).body).toEqual([])
  })
})

describe('a change of an instructor with decisions', () => {
  it('lists as many lessons of a day as a lower limit takes away, and stores all as one set', async () => {
    await school.client.patch(`/instructors/${own.id}`, { color: '#123456' })
    const lessons = [
      await office.lesson(MONDAY, 8, { end_at: `${MONDAY} 09:30` }),
      await office.lesson(MONDAY, 10, { end_at: `${MONDAY} 11:30` }),
      await office.lesson(MONDAY, 12, { end_at: `${MONDAY} 13:30` }),
    ]
    await office.lesson(TUESDAY, 8, { end_at: `${TUESDAY} 09:30` })
    const change = { max_daily_units: 4 }
    const all = await post(`/instructors/${own.id}/impact`, change)
    expect(all.body.appointments).toHaveLength(3)
    const enough = await post(`/instructors/${own.id}/impact?sufficient=true`, change)
    expect(enough.body.appointments.map((one: Planned) => one.appointment.id)).toEqual([lessons[2]?.id])
    const plan = await planned(`/instructors/${own.id}/change-plan`, change)
    expect(plan.map(({ appointment }) => appointment.id)).toEqual([lessons[2]?.id])
    const decisions = plan.map(({ proposal }) => proposal)
    const path = `/instructors/${own.id}/changes`
    const stale = await post(path, { ...change, decisions }, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    const answer = await post(path, { ...change, decisions }, { 'if-match': '"2"' })
    expect(answer.status, answer.text).toBe(200)
    expect((await school.client.get(`/instructors/${own.id}`)).body.max_daily_units).toBe(4)
    expect((await post(`/instructors/${own.id}/impact`, {})).body.appointments).toEqual([])
    const { body } = await office.undo(answer.body.set_id)
    expect(body.refused).toEqual([])
    expect((await school.client.get(`/instructors/${own.id}`)).body.max_daily_units).toBe(null)
  })

  it('plans other hours: moves lie within the new hours', async () => {
    const lesson = await office.lesson(MONDAY, 8)
    await office.lesson(MONDAY, 14)
    const hours = HOURS.map((one) => ({ ...one, start: '13:00' }))
    const change = { availability_windows: hours }
    await school.client.patch(`/instructors/${other.id}`, { active: false })
    const [one, ...rest] = await planned(`/instructors/${own.id}/change-plan`, change)
    expect([one?.appointment.id, rest]).toEqual([lesson.id, []])
    expect(one?.proposal).toMatchObject({ action: 'move', start_at: `${MONDAY} 13:00` })
  })

  it('is 404 for a vehicle, a location or an instructor that does not exist', async () => {
    const id = school.tenantId
    expect((await post(`/instructors/${id}/change-plan`, { active: false })).status).toBe(404)
    expect((await post(`/instructors/${own.id}/changes`, { location_id: id, decisions: [] })).status).toBe(
      404,
    )
    const days = { start_date: MONDAY, end_date: MONDAY }
    expect((await post(`/vehicles/${own.id}/absence-plan`, days)).status).toBe(404)
    expect((await post(`/vehicles/${own.id}/absences`, { ...days, decisions: [] })).status).toBe(404)
    expect((await post(`/vehicles/${own.id}/change-plan`, { active: false })).status).toBe(404)
    const none = { active: false, decisions: [] }
    expect((await post(`/vehicles/${own.id}/changes`, none)).status).toBe(404)
  })
})

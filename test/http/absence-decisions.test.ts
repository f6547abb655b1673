import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, away, MONDAY, on, TUESDAY, WEDNESDAY } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import type { Row, School } from '../support/factory.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let ill: Row
let other: Row

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  ill = office.ill
  other = office.other
})

describe('POST /instructors/{id}/absences', () => {
  it('stores the absence and all decisions as one set of changes, which a single undo reverts', async () => {
    const before = await Promise.all([9, 10, 11, 12].map((hour) => office.lesson(MONDAY, hour)))
    const [a, b, c, d] = before as [Row, Row, Row, Row]
    const answer = await office.record([
      on(a, 'take_over', { instructor_id: other.id }),
      on(b, 'move', { start_at: `${WEDNESDAY} 09:00`, end_at: `${WEDNESDAY} 10:00` }),
      on(c, 'cancel', { cancellation: { by: 'school', reason: 'illness', note: 'Krüger' } }),
      on(d, 'keep'),
    ])
    expect(answer.status, answer.text).toBe(200)
    const { set_id, appointments } = answer.body
    expect(set_id).toBe(answer.headers.get('x-request-id'))
    expect(appointments).toMatchObject([
      { id: a.id, instructor_id: other.id, version: 2 },
      { id: b.id, instructor_id: ill.id, start_at: `${WEDNESDAY} 09:00`, version: 2 },
      { id: c.id, status: 'cancelled', cancellation: { reason: 'illness', note: 'Krüger', fee_percent: 0 } },
      { id: d.id, instructor_id: ill.id, start_at: `${MONDAY} 12:00`, version: 1 },
    ])
    expect(await Promise.all(before.map(({ id }) => office.read(id)))).toEqual(appointments)
    const instructor = (await school.client.get(`/instructors/${ill.id}`)).body
    expect(instructor.vacations).toEqual([{ start_date: MONDAY, end_date: TUESDAY, note: 'ill' }])
    const changes = (await school.client.get('/changes')).body.filter((one: Row) => one.set_id === set_id)
    expect(changes.map(({ resource }: Row) => resource).toSorted()).toEqual([
      'appointment',
      'appointment',
      'appointment',
      'instructor',
    ])
    const undone = await office.undo(set_id)
    expect([undone.status, undone.body.refused, undone.body.undone.length]).toEqual([200, [], 4])
    const now = await Promise.all(before.map(({ id }) => office.read(id)))
    expect(now.map(withoutVersion)).toEqual(before.map(withoutVersion))
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toEqual([])
  })

  it('stores a period with times of day in `absences`, not in `vacations`', async () => {
    await office.record([], { start_time: '10:00', end_time: '12:00' })
    const { body } = await school.client.get(`/instructors/${ill.id}`)
    expect([body.vacations, body.absences]).toEqual([
      [],
      [{ start_at: `${MONDAY} 10:00`, end_at: `${TUESDAY} 12:00`, note: 'ill' }],
    ])
  })

  it('swaps the times of two lessons, and reverts the swap on undo', async () => {
    const mia = await school.student({ first_name: 'Mia' })
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 10, { student_id: mia.id })
    const answer = await office.record(
      [
        on(one, 'move', { start_at: `${MONDAY} 10:00`, end_at: `${MONDAY} 11:00`, instructor_id: other.id }),
        on(two, 'move', { start_at: `${MONDAY} 09:00`, end_at: `${MONDAY} 10:00`, instructor_id: other.id }),
      ],
      { end_date: MONDAY },
    )
    expect(answer.status, answer.text).toBe(200)
    // The other instructor now has both lessons. An absence of that instructor swaps them again.
    const [x, y] = answer.body.appointments
    const again = await school.client.post(`/instructors/${other.id}/absences`, {
      ...away({ end_date: MONDAY, start_time: '09:30', end_time: '10:30' }),
      decisions: [
        on(x, 'move', { start_at: `${MONDAY} 08:30`, end_at: `${MONDAY} 09:30` }),
        on(y, 'move', { start_at: `${MONDAY} 10:30`, end_at: `${MONDAY} 11:30` }),
      ],
    })
    expect(again.status, again.text).toBe(200)
    const undone = await office.undo(again.body.set_id)
    expect([undone.body.refused, undone.body.undone.length]).toEqual([[], 3])
    expect([await office.read(one.id), await office.read(two.id)]).toMatchObject([
      { start_at: `${MONDAY} 10:00`, instructor_id: other.id },
      { start_at: `${MONDAY} 09:00`, instructor_id: other.id },
    ])
  })

  it('returns 409 plan_outdated if the decisions do not match the affected lessons', async () => {
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 10)
    const elsewhere = await office.lesson(WEDNESDAY, 10)
    const { status, body } = await office.record([on(one, 'keep'), on(elsewhere, 'keep')])
    expect([status, body.code]).toEqual([409, 'plan_outdated'])
    expect(body.params).toEqual({
      appointment_ids: [two.id, elsewhere.id],
      undecided_ids: [two.id],
      not_hit_ids: [elsewhere.id],
    })
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toEqual([])
  })

  it('returns 412 for a stale version and writes nothing', async () => {
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 10)
    await school.client.patch(`/appointments/${two.id}`, { notes: 'x' })
    const { status, body } = await office.record([on(one, 'cancel'), on(two, 'cancel')])
    expect([status, body.params.decision_appointment_id]).toEqual([412, two.id])
    expect((await office.read(one.id)).status).toBe('planned')
  })

  it('writes nothing if one decision breaks a rule, and returns the id of its lesson', async () => {
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 10)
    const three = await office.lesson(MONDAY, 11)
    const { status, body } = await office.record([
      on(one, 'cancel'),
      on(two, 'take_over', { instructor_id: other.id }),
      on(three, 'move', { start_at: `${TUESDAY} 09:00`, end_at: `${TUESDAY} 10:00` }),
    ])
    expect([status, body.code, body.params.decision_appointment_id]).toEqual([
      409,
      'instructor_on_vacation',
      three.id,
    ])
    expect(await Promise.all([one, two, three].map(({ id }) => office.read(id)))).toEqual([one, two, three])
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toEqual([])
  })

  it('rejects two lessons moved to the same time with 409 instructor_busy', async () => {
    const mia = await school.student({ first_name: 'Mia' })
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 10, { student_id: mia.id })
    const same = { start_at: `${WEDNESDAY} 09:00`, end_at: `${WEDNESDAY} 10:00` }
    const { status, body } = await office.record([on(one, 'move', same), on(two, 'move', same)])
    expect([status, body.code, body.params.decision_appointment_id]).toEqual([409, 'instructor_busy', two.id])
  })

  it('returns 400 with every fault in the decisions, and 404 for an unknown instructor', async () => {
    const one = await office.lesson(MONDAY, 9)
    const { status, body } = await office.record([
      on(one, 'take_over'),
      on(one, 'keep', { instructor_id: other.id }),
      on({ ...one, id: randomUUID() }, 'move', { start_at: `${MONDAY} 10:00`, end_at: `${MONDAY} 10:00` }),
    ])
    expect(status).toBe(400)
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/decisions/0/instructor_id',
      '/decisions/1/appointment_id',
      '/decisions/1/instructor_id',
      '/decisions/2/end_at',
    ])
    expect((await office.record([on(one, 'take_over', { instructor_id: randomUUID() })])).status).toBe(404)
  })

  it('accepts null in fields of other actions, and rejects null in a required field', async () => {
    const [one, two] = [await office.lesson(MONDAY, 9), await office.lesson(MONDAY, 10)]
    const none = { instructor_id: null, start_at: null, end_at: null, cancellation: null }
    const faulty = await office.record([on(one, 'take_over', none), on(two, 'move', none)])
    expect(faulty.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/decisions/0/instructor_id',
      '/decisions/1/start_at',
      '/decisions/1/end_at',
    ])
    const { status, body } = await office.record([
      on(one, 'take_over', { ...none, instructor_id: other.id }),
      on(two, 'cancel', none),
    ])
    expect([status, body.appointments]).toMatchObject([
      200,
      [{ instructor_id: other.id }, { status: 'cancelled', cancellation: { by: 'school' } }],
    ])
  })

  it('checks for an unknown instructor first, then a stale version, then an outdated plan', async () => {
    const one = await office.lesson(MONDAY, 9)
    await office.lesson(MONDAY, 10)
    const stale = { ...one, version: 7 }
    const unknown = on(stale, 'take_over', { instructor_id: randomUUID() })
    const codes = [
      (await office.record([unknown])).body.code,
      (await office.record([on(stale, 'keep')])).body.code,
      (await office.record([on(one, 'keep')])).body.code,
    ]
    expect(codes).toEqual(['not_found', 'stale', 'plan_outdated'])
  })

  it('replays the response for a repeated idempotency key', async () => {
    const one = await office.lesson(MONDAY, 9)
    const key = { 'idempotency-key': randomUUID() }
    const first = await office.record([on(one, 'cancel')], {}, key)
    const second = await office.record([on(one, 'cancel')], {}, key)
    expect([second.status, second.headers.get('idempotency-replayed'), second.body]).toEqual([
      200,
      'true',
      first.body,
    ])
  })
})

function withoutVersion({ version: _, updated_at: __, ...rest }: Row) {
  return rest
}

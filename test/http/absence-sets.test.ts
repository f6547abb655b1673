import { beforeEach, describe, expect, it } from 'vitest'
import { AbsenceOffice, MONDAY, on, TUESDAY, WEDNESDAY } from '../support/absence-office.ts'
import { useService } from '../support/app.ts'
import type { Row, School } from '../support/factory.ts'

const service = useService()
let office: AbsenceOffice
let school: School
let ill: Row

beforeEach(async () => {
  office = await AbsenceOffice.open(service())
  school = office.school
  ill = office.ill
})

describe('an absence with decisions', () => {
  it('can be undone and redone if a lesson only fits its day after another has left it', async () => {
    await school.client.patch(`/instructors/${ill.id}`, { max_daily_units: 2, required_break_minutes: 0 })
    const one = await office.lesson(MONDAY, 8, { end_at: `${MONDAY} 09:30` })
    const two = await office.lesson(TUESDAY, 8, { end_at: `${TUESDAY} 09:30` })
    const until = { end_time: '10:00' }
    const answer = await office.record(
      [
        on(two, 'move', { start_at: `${WEDNESDAY} 09:00`, end_at: `${WEDNESDAY} 10:30` }),
        on(one, 'move', { start_at: `${TUESDAY} 13:00`, end_at: `${TUESDAY} 14:30` }),
      ],
      until,
    )
    expect(answer.status, answer.text).toBe(200)
    const undone = await office.undo(answer.body.set_id)
    expect(undone.body.refused).toEqual([])
    const redone = await office.undo(undone.body.set_id)
    expect(redone.body.refused).toEqual([])
    expect((await office.read(one.id)).start_at).toBe(`${TUESDAY} 13:00`)
  })

  it('is undone except for a lesson that is rejected with student_busy', async () => {
    const [mia, ada] = [
      await school.student({ first_name: 'Mia' }),
      await school.student({ first_name: 'Ada' }),
    ]
    const one = await office.lesson(MONDAY, 9)
    const two = await office.lesson(MONDAY, 11, { student_id: mia.id })
    const three = await office.lesson(MONDAY, 10, { student_id: ada.id })
    const answer = await office.record(
      [
        on(one, 'move', { start_at: `${MONDAY} 11:30`, end_at: `${MONDAY} 12:30` }),
        on(two, 'move', { start_at: `${MONDAY} 08:30`, end_at: `${MONDAY} 09:30` }),
        on(three, 'cancel'),
      ],
      { end_date: MONDAY, start_time: '09:30', end_time: '11:30' },
    )
    expect(answer.status, answer.text).toBe(200)
    const { start_at, end_at } = three
    await school.lesson({ instructor_id: office.other.id, student_id: ada.id, start_at, end_at })
    const { body } = await office.undo(answer.body.set_id)
    expect(body.refused).toMatchObject([{ resource_id: three.id, code: 'student_busy' }])
    expect((await office.read(one.id)).start_at).toBe(`${MONDAY} 09:00`)
    expect((await office.read(two.id)).start_at).toBe(`${MONDAY} 11:00`)
  })

  it('leaves the last day free if end_time is 00:00', async () => {
    await office.lesson(TUESDAY, 9)
    expect((await office.record([], { end_time: '00:00' })).status).toBe(200)
    const { body } = await school.client.get(`/instructors/${ill.id}`)
    expect([body.vacations, body.absences]).toEqual([
      [],
      [{ start_at: `${MONDAY} 00:00`, end_at: `${TUESDAY} 00:00`, note: 'ill' }],
    ])
  })

  it('is stored once when it is sent twice', async () => {
    const lesson = await office.lesson(MONDAY, 9)
    for (const _ of [1, 2]) expect((await office.record([on(lesson, 'keep')])).status).toBe(200)
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toHaveLength(1)
  })

  it('is stored once for the same times, with the latest note that is not null', async () => {
    for (const note of ['Flu', 'Flu, doctor called', null])
      expect((await office.record([], { note })).status).toBe(200)
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toMatchObject([
      { note: 'Flu, doctor called' },
    ])
  })

  it('is rejected outside the years 2000 to 2099, or if a cancellation lies in the future', async () => {
    const answer = await office.record([], {
      start_date: '1999-12-31',
      end_date: '1999-12-31',
      start_time: '08:00',
    })
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, '/start_date'])
    const end = await office.record([], {
      start_date: '2099-12-31',
      end_date: '2099-12-31',
      start_time: '08:00',
    })
    expect([end.status, end.body.errors?.[0]?.pointer]).toEqual([400, '/end_date'])
    const lesson = await office.lesson(MONDAY, 9)
    const late = { cancellation: { by: 'student', at: '2031-01-01T00:00:00.000Z' } }
    const ahead = await office.record([on(lesson, 'cancel', late)])
    expect(ahead.body.errors?.[0]?.pointer).toBe('/decisions/0/cancellation/at')
  })
})

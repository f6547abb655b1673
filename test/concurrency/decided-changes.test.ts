// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { mondays, type RacingSchool } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const [DAY = ''] = mondays(1)
const ROUNDS = 6
let school: RacingSchool

beforeEach(async () => {
  school = await races.school()
})

const times = (round: number) => {
  const hour = String(round + 6).padStart(2, '0')
  return { start_at: `${DAY} ${hour}:00`, end_at: `${DAY} ${hour}:45` }
}
const keep = ({ id, version }: Row) => ({ appointment_id: id, version, action: 'keep' })

describe('an absence of a vehicle with decisions', () => {
  const car = async (name: string): Promise<Row> =>
    (await school.client.post('/vehicles', { name, kind: 'car' })).body

  it('is stored once by three concurrent requests; the others get 409 plan_outdated', async () => {
    const [golf, polo] = [await car('Golf'), await car('Polo')]
    const { id: instructor_id } = await school.instructor()
    const lessons = await Promise.all(
      Array.from({ length: ROUNDS }, (_, round) =>
        school.lesson({ instructor_id, vehicle_ids: [golf.id], ...times(round) }),
      ),
    )
    const decisions = lessons.map(({ id, version }) => {
      return { appointment_id: id, version, action: 'other_vehicle', vehicle_ids: [polo.id] }
    })
    const record = () =>
      school.client.post(`/vehicles/${golf.id}/absences`, { start_date: DAY, end_date: DAY, decisions })
    const answers = await school.race([record, record, record])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.absences).toHaveLength(1)
    const { body } = await school.client.get(`/appointments?from=${DAY}&to=${DAY}`)
    expect(body.map(({ vehicle_ids }: Row) => vehicle_ids)).toEqual(lessons.map(() => [polo.id]))
  })

  it('excludes a concurrent booking with that vehicle; one of the two gets 409', async () => {
    const golf = await car('Golf')
    const { id: instructor_id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id, vehicle_ids: [golf.id], ...times(0) })
    const [booking, recorded] = (await school.race([
      () => school.book({ instructor_id, vehicle_ids: [golf.id], ...times(8) }),
      () =>
        school.client.post(`/vehicles/${golf.id}/absences`, {
          start_date: DAY,
          end_date: DAY,
          decisions: [keep(lesson)],
        }),
    ])) as [Answer, Answer]
    expect([
      [201, 409, 'plan_outdated'],
      [409, 200, 'vehicle_absent'],
    ]).toContainEqual([booking.status, recorded.status, booking.body.code ?? recorded.body.code])
  })
})

describe('a closure with decisions', () => {
  it('excludes concurrent bookings of any instructor on the day, new ones too', async () => {
    const instructors = await school.instructors(3)
    const lesson = await school.lesson({ instructor_id: instructors[0]?.id, ...times(0) })
    const close = () =>
      school.client.post('/closures/decided', { start_date: DAY, end_date: DAY, decisions: [keep(lesson)] })
    const hire = async () => {
      const { body } = await school.client.post('/instructors', { first_name: 'Ute', last_name: 'Brandt' })
      return school.book({ instructor_id: body.id, ...times(9) })
    }
    const [closed, ...booked] = (await school.race([
      close,
      ...instructors.map(
        ({ id }, round) =>
          () =>
            school.book({ instructor_id: id, ...times(round + 2) }),
      ),
      hire,
    ])) as [Answer, ...Answer[]]
    const won = booked.filter(({ status }) => status === 201)
    if (closed.status === 200) {
      expect(won).toEqual([])
      expect(booked.map(({ body }) => body.code)).toEqual(booked.map(() => 'school_closed'))
    } else expect([closed.status, closed.body.code, won.length > 0]).toEqual([409, 'plan_outdated', true])
    expect((await school.client.get('/closures')).body).toHaveLength(closed.status === 200 ? 1 : 0)
  })
})

describe('a change of an instructor with decisions', () => {
  it('excludes a concurrent booking that the new hours refuse; one of the two gets 409', async () => {
    const { id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id: id, ...times(0) })
    const hours = [{ weekday: 1, start: '13:00', end: '18:00' }]
    const [booking, changed] = (await school.race([
      () => school.book({ instructor_id: id, ...times(2) }),
      () =>
        school.client.post(`/instructors/${id}/changes`, {
          availability_windows: hours,
          decisions: [keep(lesson)],
        }),
    ])) as [Answer, Answer]
    expect([
      [201, 409, 'plan_outdated'],
      [409, 200, 'outside_availability'],
    ]).toContainEqual([booking.status, changed.status, booking.body.code ?? changed.body.code])
  })
})

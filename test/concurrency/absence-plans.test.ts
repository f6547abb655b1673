// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { mondays, type RacingSchool } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const [DAY = ''] = mondays(1)
const ROUNDS = 8
let school: RacingSchool
let ill: Row
let other: Row

beforeEach(async () => {
  school = await races.school()
  ill = await school.instructor({ last_name: 'Krüger' })
  other = await school.instructor({ last_name: 'Brandt' })
})

const times = (round: number) => {
  const hour = String(round + 6).padStart(2, '0')
  return { start_at: `${DAY} ${hour}:00`, end_at: `${DAY} ${hour}:45` }
}
const lessons = () =>
  Promise.all(
    Array.from({ length: ROUNDS }, (_, round) => school.lesson({ instructor_id: ill.id, ...times(round) })),
  )
const decisionOn = ({ id, version }: Row, more: object) => ({ appointment_id: id, version, ...more })
const takeOver = (taken: readonly Row[]) => () =>
  school.client.post(`/instructors/${ill.id}/absences`, {
    start_date: DAY,
    end_date: DAY,
    decisions: taken.map((one) => decisionOn(one, { action: 'take_over', instructor_id: other.id })),
  })
const holders = async () => {
  const { body } = await school.client.get(`/appointments?from=${DAY}&to=${DAY}`)
  return body.map(({ instructor_id }: Row) => instructor_id)
}

describe('an absence with decisions', () => {
  it('is stored once by three concurrent requests; the others get 409 plan_outdated', async () => {
    const taken = await lessons()
    const answers = await school.race([takeOver(taken), takeOver(taken), takeOver(taken)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual([
      'plan_outdated',
      'plan_outdated',
    ])
    expect(await holders()).toEqual(taken.map(() => other.id))
    expect((await school.client.get(`/instructors/${ill.id}`)).body.vacations).toHaveLength(1)
  })

  it('is stored completely or not at all when concurrent bookings take the same times', async () => {
    const taken = await lessons()
    const book = (round: number) => () => school.book({ instructor_id: other.id, ...times(round) })
    const [recorded, ...booked] = (await school.race([
      takeOver(taken),
      ...taken.map((_, round) => book(round)),
    ])) as [Answer, ...Answer[]]
    const won = booked.filter(({ status }) => status === 201).length
    const isStored = recorded.status === 200
    expect(isStored ? won : recorded.body.code).toBe(isStored ? 0 : 'instructor_busy')
    expect((await holders()).toSorted()).toEqual(
      [...taken.map(() => (isStored ? other.id : ill.id)), ...Array(won).fill(other.id)].toSorted(),
    )
    const { body } = await school.client.get(`/instructors/${ill.id}`)
    expect(body.vacations).toHaveLength(isStored ? 1 : 0)
  })

  it('moves lessons of others completely or not at all when concurrent bookings take their new times', async () => {
    const taken = await lessons()
    const inTheWay = await Promise.all(
      taken.map((_, round) => school.lesson({ instructor_id: other.id, ...times(round) })),
    )
    const decisions = [
      ...taken.map((one) => decisionOn(one, { action: 'take_over', instructor_id: other.id })),
      ...inTheWay.map((one, round) => decisionOn(one, { action: 'move', ...times(round + ROUNDS) })),
    ]
    const step = () =>
      school.client.post(`/instructors/${ill.id}/absences`, { start_date: DAY, end_date: DAY, decisions })
    const book = (round: number) => () => school.book({ instructor_id: other.id, ...times(round + ROUNDS) })
    const [recorded, ...booked] = (await school.race([step, ...taken.map((_, round) => book(round))])) as [
      Answer,
      ...Answer[],
    ]
    const won = booked.filter(({ status }) => status === 201).length
    const isStored = recorded.status === 200
    expect(isStored ? won : recorded.body.code).toBe(isStored ? 0 : 'instructor_busy')
    if (!isStored)
      expect(inTheWay.map(({ id }) => id)).toContain(recorded.body.params.decision_appointment_id)
    const { body } = await school.client.get(`/appointments?from=${DAY}&to=${DAY}`)
    const places = body.map((one: Row) => `${one.instructor_id} ${one.start_at}`)
    expect(new Set(places).size).toBe(2 * ROUNDS + won)
    expect(places.filter((place: string) => place.startsWith(ill.id))).toHaveLength(isStored ? 0 : ROUNDS)
  })

  it('excludes a concurrent booking of the same instructor on that day; one of the two gets 409', async () => {
    const taken = await lessons()
    const [booking, recorded] = (await school.race([
      () => school.book({ instructor_id: ill.id, start_at: `${DAY} 20:00`, end_at: `${DAY} 20:45` }),
      takeOver(taken),
    ])) as [Answer, Answer]
    const outcome = [booking.status, recorded.status, booking.body.code ?? recorded.body.code]
    expect([
      [201, 409, 'plan_outdated'],
      [409, 200, 'instructor_on_vacation'],
    ]).toContainEqual(outcome)
  })
})

// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { CLIENTS, mondays, outcomeOf, reasonsOf, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

it('exactly one of 32 concurrent bookings gets a car; the others get 409 vehicle_busy', async () => {
  const school = await races.school()
  const { body: car } = await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  const instructors = await school.instructors(CLIENTS)
  for (const monday of mondays(ROUNDS)) {
    const answers = await school.race(
      instructors.map(
        ({ id: instructor_id }) =>
          () =>
            school.book({ instructor_id, vehicle_ids: [car.id], ...slot(monday, 480) }),
      ),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    const { id: appointment_id, start_at, end_at } = accepted[0] as Record<string, unknown>
    const busy = { code: 'vehicle_busy', params: { vehicle_id: car.id, appointment_id, start_at, end_at } }
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => busy))
  }
})

it('concurrent requests either delete a car or book it, never both', async () => {
  const school = await races.school()
  const instructors = await school.instructors(CLIENTS - 1)
  for (const monday of mondays(ROUNDS)) {
    const { body: car } = await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
    const book = instructors.map(
      ({ id: instructor_id }, index) =>
        () =>
          school.book({ instructor_id, vehicle_ids: [car.id], ...slot(monday, 60 * (index % 20)) }),
    )
    const answers = await school.race([() => school.client.delete(`/vehicles/${car.id}`), ...book])
    const [deleted, ...booked] = answers.map(({ status }) => status)
    if (deleted === 204) expect(new Set(booked)).toEqual(new Set([404]))
    else expect([deleted, booked.includes(201)]).toEqual([409, true])
  }
})

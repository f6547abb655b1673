// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import {
  CLIENTS,
  dateAfter,
  mondays,
  type Outcome,
  outcomeOf,
  type RacingSchool,
  slots,
  times,
} from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)
const BOOKERS = CLIENTS - 1

type Fields = Readonly<Record<string, unknown>>

it('bookings get 409 instructor_on_vacation once a vacation is stored (I5, C10)', async () => {
  const school = await races.school()
  school.tightened.add('instructor_on_vacation')
  for (const monday of mondays(ROUNDS)) {
    const vacation = { start_date: monday, end_date: dateAfter(monday, 1), note: 'Ski' }
    const { refused, late } = await raceAgainst(school, { vacations: [vacation] }, monday)
    expect(late.length).toBeGreaterThan(0)
    expect(late).toEqual(late.map(() => 409))
    expect(refused).toEqual(refused.map(() => ({ code: 'instructor_on_vacation', params: vacation })))
  }
})

it('32 instructors created at once are all stored', async () => {
  const school = await races.school()
  const answers = await school.race(
    times(
      CLIENTS,
      (index) => () =>
        school.client.post('/instructors', { first_name: 'Ute', last_name: `Brandt ${index}` }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const { body } = await school.client.get('/instructors')
  expect(body.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(answers.map(({ body }) => body.id)),
  )
})

it('no booking exceeds a lowered daily limit once it is stored (C11)', async () => {
  const school = await races.school({ unit_minutes: 20 })
  school.tightened.add('daily_limit_exceeded')
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused, late } = await raceAgainst(school, { max_daily_units: 3 }, monday)
    expect(accepted.length).toBeGreaterThanOrEqual(3)
    // The change may be stored before the third booking. After it, there is room for three bookings and no more.
    if (late.includes(201)) expect(accepted).toHaveLength(3)
    for (const reason of refused) {
      expect(reason).toEqual({
        code: 'daily_limit_exceeded',
        params: {
          date: monday,
          limit_units: 3,
          override_units: null,
          booked_units: expect.toSatisfy((units) => units >= 3 && units <= accepted.length),
          requested_units: 1,
        },
      })
    }
  }
})

it('bookings get 409 outside_availability once reduced windows are stored (I6, C12)', async () => {
  const school = await races.school()
  school.tightened.add('outside_availability')
  for (const monday of mondays(ROUNDS)) {
    const windows = [{ weekday: 1, start: '21:00', end: '24:00' }]
    const { refused, late } = await raceAgainst(school, { availability_windows: windows }, monday)
    expect(late).toEqual(late.map(() => 409))
    expect(refused).toEqual(
      refused.map(() => ({ code: 'outside_availability', params: { date: monday, windows } })),
    )
  }
})

it('bookings get 409 instructor_inactive once the instructor is deactivated', async () => {
  const school = await races.school()
  school.tightened.add('instructor_inactive')
  for (const monday of mondays(ROUNDS)) {
    const { instructor_id, refused, late } = await raceAgainst(school, { active: false }, monday)
    expect(late).toEqual(late.map(() => 409))
    expect(refused).toEqual(refused.map(() => ({ code: 'instructor_inactive', params: { instructor_id } })))
  }
})

/**
 * Changes an instructor amid bookings of one day. Every other client books twice. `late` has the status of each booking sent
 * after the response to the change. The audit decides which bookings came too early for the new rules, since that depends on
 * the order in which the database wrote them.
 */
async function raceAgainst(
  school: RacingSchool,
  change: Fields,
  date: string,
): Promise<{ instructor_id: string; accepted: Outcome['accepted']; refused: Fields[]; late: number[] }> {
  const { id: instructor_id } = await school.instructor({ max_daily_units: 96 })
  const begun = school.history.length
  const requests = slots(2 * BOOKERS, date, 20).map((time) => () => school.book({ instructor_id, ...time }))
  const bookers = times(BOOKERS, (index) => async () => {
    const first = await requests[index]?.()
    await requests[index + BOOKERS]?.()
    return first ?? school.book({})
  })
  const path = `/instructors/${instructor_id}`
  const half = Math.floor(BOOKERS / 2)
  await school.race([
    ...bookers.slice(0, half),
    () => school.client.patch(path, change),
    ...bookers.slice(half),
  ])
  const rows = school.history.slice(begun)
  const changed = rows.find((row) => row.method === 'PATCH')
  expect(changed?.answer.status).toBe(200)
  await school.book({ instructor_id, ...slots(72, date, 20)[62] })
  const bookings = school.history.slice(begun).filter((row) => row.method === 'POST')
  const { accepted, refused } = outcomeOf(bookings.map(({ answer }) => answer))
  const late = bookings.filter(({ sentAt }) => sentAt > (changed?.answeredAt ?? 0))
  return {
    instructor_id,
    accepted,
    refused: refused.map(({ code, params }) => ({ code, params })),
    late: late.map(({ answer }) => answer.status),
  }
}

// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import {
  aRacingSchool,
  CLIENTS,
  dateAfter,
  type Exchange,
  mondays,
  outcomeOf,
  type RacingSchool,
  reasonsOf,
  slot,
  slots,
  times,
} from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)
const BOOKERS = CLIENTS - 1
const NOTE = 'Betriebsferien'

const closeOn = (school: RacingSchool, date: string) => () =>
  school.client.post('/closures', { start_date: date, end_date: date, note: NOTE })
const closedOn = (date: string) => ({ code: 'school_closed', params: { date, note: NOTE } })
const isBooking = ({ method, path }: Exchange) => method === 'POST' && path === '/appointments'

it('bookings with any instructor get 409 school_closed once the closure is stored', async () => {
  const school = await races.school()
  const instructors = await school.instructors(4)
  for (const monday of mondays(ROUNDS)) {
    const book = (index: number) => () =>
      school.book({ instructor_id: instructors[index % 4]?.id, ...slot(monday, 20 * (index >> 2), 20) })
    const begun = school.history.length
    const twice = times(BOOKERS, (index) => inTurn(book(index), book(index + BOOKERS)))
    const [closure] = await school.race([closeOn(school, monday), ...twice])
    expect(closure?.status).toBe(201)
    await book(2 * BOOKERS)()
    const exchanges = school.history.slice(begun)
    const { refused } = outcomeOf(exchanges.filter(isBooking).map(({ answer }) => answer))
    expect(reasonsOf(refused)).toEqual(refused.map(() => closedOn(monday)))
    const late = lateIn(exchanges, '/closures')
    expect(late.length).toBeGreaterThan(0)
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 409))
  }
})

it('moves to a closed day get 409 school_closed once the closure is stored', async () => {
  const school = await races.school()
  for (const monday of mondays(ROUNDS)) {
    const { id: instructor_id } = await school.instructor()
    const next = dateAfter(monday, 1)
    const lessons = await school.lessons(slots(BOOKERS, next, 20).map((time) => ({ instructor_id, ...time })))
    const moves = lessons.map((lesson, index) => () => school.move(lesson, slot(monday, 20 * index, 20)))
    const [closure, ...moved] = await school.race([closeOn(school, monday), ...moves])
    expect(closure?.status).toBe(201)
    const { refused } = outcomeOf(moved)
    expect(reasonsOf(refused)).toEqual(refused.map(() => closedOn(monday)))
    const again = await school.race(
      lessons.map((lesson, index) => () => school.move(lesson, slot(monday, 20 * index, 19))),
    )
    expect(reasonsOf(outcomeOf(again).refused)).toEqual(times(BOOKERS, () => closedOn(monday)))
  }
})

it('bookings sent after the closure is deleted all succeed', async () => {
  const school = await races.school()
  for (const monday of mondays(ROUNDS)) {
    const { id: instructor_id } = await school.instructor()
    const { body: closure } = await closeOn(school, monday)()
    const all = slots(2 * BOOKERS, monday, 20).map((time) => () => school.book({ instructor_id, ...time }))
    const begun = school.history.length
    const twice = times(BOOKERS, (index) => inTurn(all[index], all[index + BOOKERS]))
    const [deleted] = await school.race([() => school.client.delete(`/closures/${closure.id}`), ...twice])
    expect(deleted?.status).toBe(204)
    const exchanges = school.history.slice(begun)
    const { refused } = outcomeOf(exchanges.filter(isBooking).map(({ answer }) => answer))
    expect(reasonsOf(refused)).toEqual(refused.map(() => closedOn(monday)))
    const late = lateIn(exchanges, `/closures/${closure.id}`)
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 201))
  }
})

it('bookings with instructors created during a closure request get 409 once the closure is stored', async () => {
  const school = await races.school()
  for (const monday of mondays(ROUNDS)) {
    const begun = school.history.length
    const hire = times(BOOKERS, () => async () => {
      const { body } = await school.client.post('/instructors', { first_name: 'Ute', last_name: 'Brandt' })
      const first = await school.book({ instructor_id: body.id, ...slot(monday, 480) })
      await school.book({ instructor_id: body.id, ...slot(monday, 600) })
      return first
    })
    const [closure] = await school.race([closeOn(school, monday), ...hire])
    expect(closure?.status).toBe(201)
    const exchanges = school.history.slice(begun)
    const { refused } = outcomeOf(exchanges.filter(isBooking).map(({ answer }) => answer))
    expect(reasonsOf(refused)).toEqual(refused.map(() => closedOn(monday)))
    const late = lateIn(exchanges, '/closures')
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 409))
  }
})

it('bookings on a holiday get 409 public_holiday once the setting "holidays: refuse" is stored', async () => {
  const school = await aRacingSchool([races.service()])
  const { client } = school
  for (const date of ['2041-10-03', '2042-10-03', '2043-10-03', '2044-10-03'].slice(0, ROUNDS)) {
    const { id: instructor_id } = await school.instructor()
    await client.patch('/tenant', { holidays: 'warn' })
    const all = slots(2 * BOOKERS, date, 20).map((time) => () => school.book({ instructor_id, ...time }))
    const begun = school.history.length
    const twice = times(BOOKERS, (index) => inTurn(all[index], all[index + BOOKERS]))
    const [changed] = await school.race([() => client.patch('/tenant', { holidays: 'refuse' }), ...twice])
    expect(changed?.status).toBe(200)
    await school.book({ instructor_id, ...slots(72, date, 20)[71] })
    const exchanges = school.history.slice(begun)
    const { refused } = outcomeOf(exchanges.filter(isBooking).map(({ answer }) => answer))
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['public_holiday']))
    const late = lateIn(exchanges, '/tenant')
    expect(late.length).toBeGreaterThan(0)
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 409))
  }
})

/** Returns a function that sends one request after the other and returns the second response. */
function inTurn(first: (() => Promise<Answer>) | undefined, second: (() => Promise<Answer>) | undefined) {
  return async (): Promise<Answer> => {
    await first?.()
    if (!second) throw new Error('there is no second request')
    return second()
  }
}

/** Returns the responses to bookings sent after the response to the one write to `path`. */
function lateIn(exchanges: readonly Exchange[], path: string): readonly Answer[] {
  const written = exchanges.find((one) => one.path === path)
  expect(written?.answer.status).toBeLessThan(300)
  const since = written?.answeredAt ?? 0
  return exchanges.filter((one) => isBooking(one) && one.sentAt > since).map(({ answer }) => answer)
}

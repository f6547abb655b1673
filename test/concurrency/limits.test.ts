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
  reasonsOf,
  type Slot,
  slot,
  slots,
  times,
} from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { expectRefusalsToStand } from './recheck.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

type Limits = { readonly limit_units: number; readonly override_units: number | null }

it('only 3 of 32 concurrent bookings of a day succeed under a daily limit of 3 units (I3, I13, C5)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = await raceForDay(school, instructor_id, monday)
    expect(accepted).toHaveLength(3)
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: null }))
  }
})

it('only 3 of 32 lessons handed over concurrently fit a daily limit of 3 units', async () => {
  const school = await races.school()
  const givers = await school.instructors(CLIENTS)
  const { id: taker } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const times = slots(CLIENTS, monday)
    const lessons = await school.lessons(
      givers.map(({ id: instructor_id }, index) => ({ ...times[index], instructor_id })),
    )
    const { accepted, refused } = outcomeOf(
      await school.race(lessons.map((lesson) => () => school.move(lesson, { instructor_id: taker }))),
    )
    expect(accepted).toHaveLength(3)
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: null }))
  }
})

it('lessons handed over and moved concurrently obey the daily limit of their new instructor', async () => {
  const school = await races.school()
  const givers = await school.instructors(CLIENTS / 2)
  const { id: taker } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const before = threeADay(dateAfter(monday, 28))
    const after = slots(before.length, monday)
    const lessons = await school.lessons(
      givers.map(({ id: instructor_id }, index) => ({ ...before[index], instructor_id })),
    )
    const { refused } = outcomeOf(
      await school.race(
        lessons.flatMap((lesson, index) => [
          () => school.move(lesson, { instructor_id: taker }),
          () => school.move(lesson, { ...after[index] }),
        ]),
      ),
    )
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['daily_limit_exceeded']))
    const query = `instructor_id=${taker}&from=${monday}&to=${monday}`
    expect((await school.client.get(`/appointments?${query}`)).body).toHaveLength(3)
  }
})

it('only 3 of 32 consultations become practice lessons under a daily limit of 3 units', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  const { CONSULTATION, PRACTICE } = school.lessonTypes
  for (const monday of mondays(ROUNDS)) {
    const lessons = await school.lessons(
      slots(CLIENTS, monday).map((time) => ({ ...time, instructor_id, lesson_type_id: CONSULTATION })),
    )
    const { accepted, refused } = outcomeOf(
      await school.race(lessons.map((lesson) => () => school.move(lesson, { lesson_type_id: PRACTICE }))),
    )
    expect(accepted).toHaveLength(3)
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: null }))
  }
})

it('a consultation changed to practice while being moved counts toward the limit of its new day', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  const { CONSULTATION, PRACTICE } = school.lessonTypes
  for (const monday of mondays(ROUNDS)) {
    const before = threeADay(dateAfter(monday, 28))
    const after = slots(before.length, monday)
    const lessons = await school.lessons(
      before.map((time) => ({ ...time, instructor_id, lesson_type_id: CONSULTATION })),
    )
    const { refused } = outcomeOf(
      await school.race(
        lessons.flatMap((lesson, index) => [
          () => school.move(lesson, { lesson_type_id: PRACTICE }),
          () => school.move(lesson, { ...after[index] }),
        ]),
      ),
    )
    expect(reasonsOf(refused)).toEqual(
      dayIsFull(monday, { limit_units: 3, override_units: null }).slice(0, refused.length),
    )
    const listed = (await school.client.get(`/appointments?from=${monday}&to=${monday}`)).body
    const drives = listed.filter((lesson: { lesson_type_id: string }) => lesson.lesson_type_id === PRACTICE)
    expect(drives).toHaveLength(3)
  }
})

it('concurrent bookings stop at the override, and only those above the limit use it (I3, C6)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3, max_daily_override: 5 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = await raceForDay(school, instructor_id, monday)
    expect(accepted.map(({ overrides_used }) => overrides_used.join()).toSorted()).toEqual([
      ...times(3, () => ''),
      ...times(2, () => 'daily'),
    ])
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: 5 }))
  }
})

it('only 5 of 32 concurrent bookings in a week succeed under a weekly limit of 5 units (I4, C7)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_weekly_units: 5 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = outcomeOf(
      await school.race(
        times(CLIENTS, (index) => () => school.book({ instructor_id, ...timeInWeek(monday, index) })),
      ),
    )
    expect(accepted).toHaveLength(5)
    expect(reasonsOf(refused)).toEqual(
      times(CLIENTS - 5, () => ({
        code: 'weekly_limit_exceeded',
        params: {
          week_start: monday,
          limit_units: 5,
          override_units: null,
          booked_units: 5,
          requested_units: 1,
        },
      })),
    )
  }
})

it('exactly one of two concurrent lessons closer than the required break is booked (I7, C8)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ required_break_minutes: 15 })
  for (const monday of mondays(ROUNDS)) {
    const pairs = times(CLIENTS / 2, (pair) => [
      slot(monday, 80 * pair, 20),
      slot(monday, 80 * pair + 30, 20),
    ])
    const { accepted, refused } = outcomeOf(
      await school.race(pairs.flat().map((time) => () => school.book({ instructor_id, ...time }))),
    )
    for (const [first, second] of pairs) {
      expect(countOf(accepted, first) + countOf(accepted, second)).toBe(1)
    }
    expect(reasonsOf(refused)).toEqual(
      times(CLIENTS / 2, () => ({
        code: 'break_too_short',
        params: { gap_minutes: 10, required_minutes: 15, appointment_id: expect.any(String) },
      })),
    )
    const booked = accepted.map(({ id }) => id)
    for (const { params } of refused) expect(booked).toContain(params.appointment_id)
  }
  await expectRefusalsToStand(races.service().db, school)
})

it('a limit of 120 minutes without a break allows two of three lessons, two or three of four (I7, C9)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_continuous_minutes: 120 })
  for (const monday of mondays(ROUNDS)) {
    const triples = times(4, (group) => times(3, (index) => slot(monday, 300 * group + 45 * index)))
    const tuesday = dateAfter(monday, 1)
    const fours = times(5, (group) => times(4, (index) => slot(tuesday, 270 * group + 45 * index)))
    const answers = await school.race(
      [...triples, ...fours].flat().map((time) => () => school.book({ instructor_id, ...time })),
    )
    const { accepted, refused } = outcomeOf(answers)
    for (const group of triples) expect(countOfAll(accepted, group)).toBe(2)
    for (const group of fours) expect([2, 3]).toContain(countOfAll(accepted, group))
    for (const reason of reasonsOf(refused)) {
      expect(reason).toEqual({
        code: 'continuous_minutes_exceeded',
        params: {
          minutes: expect.toSatisfy((minutes) => minutes === 135 || minutes === 180),
          limit_minutes: 120,
          start_at: expect.any(String),
          end_at: expect.any(String),
        },
      })
    }
  }
  await expectRefusalsToStand(races.service().db, school)
})

/** Returns times for half of the clients, three a day. */
function threeADay(monday: string) {
  return times(CLIENTS / 2, (index) => slot(dateAfter(monday, Math.floor(index / 3)), 60 * (index % 3)))
}

/** Returns a time in the week. Each of the seven days gets four or five of them. */
function timeInWeek(monday: string, index: number) {
  return slot(dateAfter(monday, index % 7), 480 + 60 * Math.floor(index / 7))
}

async function raceForDay(school: RacingSchool, instructor_id: string, date: string) {
  return outcomeOf(
    await school.race(slots(CLIENTS, date).map((time) => () => school.book({ instructor_id, ...time }))),
  )
}

/** Returns the refusals of all clients except those that got the day's units. */
function dayIsFull(date: string, { limit_units, override_units }: Limits) {
  const booked_units = override_units ?? limit_units
  return times(CLIENTS - booked_units, () => ({
    code: 'daily_limit_exceeded',
    params: { date, limit_units, override_units, booked_units, requested_units: 1 },
  }))
}

function countOfAll(accepted: Outcome['accepted'], group: readonly Slot[]): number {
  return group.reduce((sum, time) => sum + countOf(accepted, time), 0)
}

function countOf(accepted: Outcome['accepted'], time: Slot | undefined): number {
  return accepted.filter(({ start_at }) => start_at === time?.start_at).length
}

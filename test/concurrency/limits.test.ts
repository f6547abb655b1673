import { expect, it } from 'vitest'
import {
  CLIENTS,
  dateAfter,
  mondays,
  outcomeOf,
  type RacingSchool,
  reasonsOf,
  slot,
  slots,
  times,
} from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = 8

type Limits = { readonly limit_units: number; readonly override_units: number | null }

it('C5: of 32 units of a day as many are booked as the limit allows', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = await raceForDay(school, instructor_id, monday)
    expect(accepted).toHaveLength(3)
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: null }))
  }
})

it('C5: of 32 units given to another instructor as many are taken as the limit allows', async () => {
  const school = await races.school()
  const { id: giver } = await school.instructor()
  const { id: taker } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const lessons = await school.lessons(
      slots(CLIENTS, monday).map((time) => ({ ...time, instructor_id: giver })),
    )
    const { accepted, refused } = outcomeOf(
      await school.race(lessons.map((lesson) => () => school.move(lesson, { instructor_id: taker }))),
    )
    expect(accepted).toHaveLength(3)
    expect(reasonsOf(refused)).toEqual(dayIsFull(monday, { limit_units: 3, override_units: null }))
  }
})

it('C5: of 32 consultations as many become practice drives as the limit allows', async () => {
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

it('C6: the override is the last ceiling, and only what lies above the limit is marked with it', async () => {
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

it('C7: of 32 units from Monday to Sunday as many are booked as the week allows', async () => {
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

/** Each of the seven days has four or five of the times. */
function timeInWeek(monday: string, index: number) {
  return slot(dateAfter(monday, index % 7), 480 + 60 * Math.floor(index / 7))
}

async function raceForDay(school: RacingSchool, instructor_id: string, date: string) {
  return outcomeOf(
    await school.race(slots(CLIENTS, date).map((time) => () => school.book({ instructor_id, ...time }))),
  )
}

/** What all but those who got the day's units are told. */
function dayIsFull(date: string, { limit_units, override_units }: Limits) {
  const booked_units = override_units ?? limit_units
  return times(CLIENTS - booked_units, () => ({
    code: 'daily_limit_exceeded',
    params: { date, limit_units, override_units, booked_units, requested_units: 1 },
  }))
}

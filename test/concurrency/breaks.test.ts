import { expect, it } from 'vitest'
import {
  CLIENTS,
  dateAfter,
  mondays,
  type Outcome,
  outcomeOf,
  reasonsOf,
  type Slot,
  slot,
  times,
} from '../support/races.ts'
import { expectRefusalsToStand } from './recheck.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = 8

it('C8: of two lessons too close to each other one is booked', async () => {
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

it('C9: of three lessons without a break two are booked, of four two or three', async () => {
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

function countOfAll(accepted: Outcome['accepted'], group: readonly Slot[]): number {
  return group.reduce((sum, time) => sum + countOf(accepted, time), 0)
}

function countOf(accepted: Outcome['accepted'], time: Slot | undefined): number {
  return accepted.filter(({ start_at }) => start_at === time?.start_at).length
}

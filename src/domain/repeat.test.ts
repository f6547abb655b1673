import { describe, expect, it } from 'vitest'
import { countOf, endsInTime, type Repeat, repeated } from './repeat.ts'

const FIRST = { start_at: '2026-12-28 22:30', end_at: '2026-12-29 00:15' }

describe('how often', () => {
  it.each<[Repeat, number]>([
    [{ every_days: 1, count: 5 }, 5],
    [{ every_days: 3, until: '2026-12-27' }, 0],
    [{ every_days: 3, until: '2026-12-28' }, 1],
    [{ every_days: 3, until: '2026-12-30' }, 1],
    [{ every_days: 3, until: '2026-12-31' }, 2],
    [{ every_weeks: 2, until: '2027-01-10' }, 1],
    [{ every_weeks: 2, until: '2027-01-11' }, 2],
  ])('%j is %i times', (repeat, count) => {
    expect([countOf(FIRST, repeat), repeated(FIRST, repeat).length]).toEqual([count, count])
  })
})

describe('the times', () => {
  it('are those of the wall clock, across midnight, years and changes of the clocks', () => {
    expect(repeated(FIRST, { every_weeks: 8, count: 3 })).toEqual([
      FIRST,
      { start_at: '2027-02-22 22:30', end_at: '2027-02-23 00:15' },
      { start_at: '2027-04-19 22:30', end_at: '2027-04-20 00:15' },
    ])
  })

  it.each<[string, string, boolean]>([
    ['2099-12-30 08:00', '2099-12-30 09:00', true],
    ['2099-12-30 22:00', '2099-12-30 23:59', true],
    ['2099-12-30 23:00', '2099-12-31 00:00', false],
    ['2099-12-31 08:00', '2099-12-31 09:00', false],
  ])('from %s to %s and the day after end in time: %s', (start_at, end_at, is) => {
    expect(endsInTime({ start_at, end_at }, { every_days: 1, count: 2 })).toBe(is)
  })
})

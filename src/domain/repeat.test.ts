import { describe, expect, it } from 'vitest'
import { endsInTime, type Repeat, repeated, repetitionsOf } from './repeat.ts'

const FIRST = { start_at: '2026-12-28 22:30', end_at: '2026-12-29 00:15' }

describe('the number of repetitions', () => {
  it.each<[Repeat, number]>([
    [{ every_days: 1, count: 5 }, 5],
    [{ every_days: 3, until: '2026-12-27' }, 0],
    [{ every_days: 3, until: '2026-12-28' }, 1],
    [{ every_days: 3, until: '2026-12-30' }, 1],
    [{ every_days: 3, until: '2026-12-31' }, 2],
    [{ every_weeks: 2, until: '2027-01-10' }, 1],
    [{ every_weeks: 2, until: '2027-01-11' }, 2],
  ])('for %j is %i', (repeat, count) => {
    expect([repetitionsOf(FIRST, repeat), repeated(FIRST, repeat).length]).toEqual([count, count])
  })
})

describe('repeated times', () => {
  it('keep their local time across midnight, years and clock changes', () => {
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
  ])('from %s to %s and on the next day end before 2100: %s', (start_at, end_at, is) => {
    expect(endsInTime({ start_at, end_at }, { every_days: 1, count: 2 })).toBe(is)
  })
})

describe('a repetition on weekdays', () => {
  const WEDNESDAY = { start_at: '2027-03-03 18:30', end_at: '2027-03-03 20:00' }
  const datesOf = (repeat: Repeat) => repeated(WEDNESDAY, repeat).map(({ start_at }) => start_at.slice(5, 10))

  it.each<[Repeat, string[]]>([
    [{ every_weeks: 1, weekdays: [1, 3], count: 5 }, ['03-03', '03-08', '03-10', '03-15', '03-17']],
    [{ every_weeks: 2, weekdays: [5, 3, 1], count: 5 }, ['03-03', '03-05', '03-15', '03-17', '03-19']],
    [{ every_weeks: 1, weekdays: [3], until: '2027-03-16' }, ['03-03', '03-10']],
    [{ every_weeks: 1, weekdays: [1, 3], until: '2027-03-15' }, ['03-03', '03-08', '03-10', '03-15']],
    [{ every_weeks: 1, weekdays: [1, 3], until: '2027-03-14' }, ['03-03', '03-08', '03-10']],
    [{ every_weeks: 1, weekdays: [1, 3], until: '2027-03-02' }, []],
  ])('with %j has the dates %j', (repeat, dates) => {
    expect([datesOf(repeat), repetitionsOf(WEDNESDAY, repeat)]).toEqual([dates, dates.length])
  })
})

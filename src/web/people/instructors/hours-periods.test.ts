import { describe, expect, it } from 'vitest'
import { changedFrom, periodsIn, undated, withPeriod } from './hours-periods.ts'

const MONDAY = { weekday: 1, start: '08:00', end: '16:00' }
const TUESDAY = { weekday: 2, start: '09:00', end: '12:00' }
const [BEFORE, FROM] = [
  { valid_from: null, valid_to: '2026-12-31' },
  { valid_from: '2027-01-01', valid_to: null },
]

describe('new hours from a date', () => {
  const changed = changedFrom([MONDAY, TUESDAY], '2027-01-01')

  it('end the present ones the day before and begin as copies of them', () => {
    expect(changed).toEqual([
      { ...MONDAY, valid_to: '2026-12-31' },
      { ...TUESDAY, valid_to: '2026-12-31' },
      { ...MONDAY, valid_from: '2027-01-01' },
      { ...TUESDAY, valid_from: '2027-01-01' },
    ])
    expect(periodsIn(changed)).toEqual([BEFORE, FROM])
    expect(undated(changed, FROM)).toEqual([MONDAY, TUESDAY])
  })

  it('leave hours that end before the date or begin on it', () => {
    const past = { ...MONDAY, valid_to: '2026-06-30' }
    const later = { ...MONDAY, valid_from: '2027-01-01' }
    expect(changedFrom([past, later], '2027-01-01')).toEqual([past, later])
  })

  it('leave hours in turn in their weeks, with dates of their own', () => {
    // 1 January 2027 lies in the week of 28 December, the second after that of 18 December.
    const [even, odd] = ['2026-12-18', '2026-12-21'].map((valid_from) => ({
      ...{ ...MONDAY, valid_from, every_weeks: 2 },
    }))
    if (!even || !odd) throw new Error('both are given')
    const next = changedFrom([TUESDAY, even, odd], '2027-01-01')
    expect(next.slice(4)).toEqual([
      { ...even, valid_from: '2027-01-01' },
      { ...odd, valid_from: '2027-01-04' },
    ])
    expect(periodsIn(next)).toEqual([BEFORE, FROM])
    expect(withPeriod(next, FROM, [])).toEqual(next.filter(({ weekday }, at) => weekday === 1 || at === 0))
  })

  it('are replaced without touching the earlier ones', () => {
    const friday = { weekday: 5, start: '10:00', end: '14:00' }
    const next = withPeriod(changed, FROM, [friday])
    expect(undated(next, BEFORE)).toEqual([MONDAY, TUESDAY])
    expect(next.at(-1)).toEqual({ ...friday, ...FROM })
  })

  it('are no periods while single days have dates', () => {
    expect(periodsIn([MONDAY, { ...TUESDAY, valid_to: '2026-12-31' }])).toEqual([])
  })
})

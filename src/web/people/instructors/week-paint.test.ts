import { describe, expect, it } from 'vitest'
import { cleared, copied, isOpenAt, painted, workingDays } from './week-paint.ts'

const MORNING = { weekday: 1, start: '08:00', end: '12:00' }
const TUESDAY = { weekday: 2, start: '08:00', end: '12:00' }
const stroke = (start: number, end: number) => ({ weekday: 1, start: start * 60, end: end * 60 })

describe('painting', () => {
  it('adds hours in the order of the week', () => {
    expect(painted([TUESDAY], stroke(8, 12))).toEqual([MORNING, TUESDAY])
  })

  it('merges hours that touch or overlap', () => {
    expect(painted([MORNING], stroke(12, 14))).toEqual([{ ...MORNING, end: '14:00' }])
    expect(painted([MORNING], stroke(7, 24))).toEqual([{ weekday: 1, start: '07:00', end: '24:00' }])
  })
})

it('painting leaves an incomplete window unchanged', () => {
  const open = { weekday: 1, start: '', end: '17:00' }
  expect(painted([open], stroke(8, 12))).toEqual([open, MORNING])
})

describe('clearing', () => {
  it('removes the middle, the end or all of the hours', () => {
    expect(cleared([MORNING], stroke(9, 10))).toEqual([
      { ...MORNING, end: '09:00' },
      { ...MORNING, start: '10:00' },
    ])
    expect(cleared([MORNING], stroke(11, 15))).toEqual([{ ...MORNING, end: '11:00' }])
    expect(cleared([MORNING, TUESDAY], stroke(0, 24))).toEqual([TUESDAY])
  })
})

describe('copying', () => {
  const EVENING = { weekday: 1, start: '18:00', end: '24:00' }
  const week = [MORNING, EVENING, { weekday: 3, start: '10:00', end: '11:00' }]

  it('replaces the hours of other days with those of one day', () => {
    expect(copied(week, 1, [2, 3])).toEqual([
      MORNING,
      EVENING,
      { ...MORNING, weekday: 2 },
      { ...EVENING, weekday: 2 },
      { ...MORNING, weekday: 3 },
      { ...EVENING, weekday: 3 },
    ])
    expect(copied(week, 1, [])).toEqual(week)
  })

  it('offers the days with hours, but not those with only incomplete windows', () => {
    expect(workingDays(week)).toEqual([1, 3])
    expect(workingDays([{ weekday: 5, start: '', end: '17:00' }])).toEqual([])
  })
})

it('a window is open from its start until just before its end', () => {
  expect([7 * 60 + 59, 8 * 60, 12 * 60 - 1, 12 * 60].map((minute) => isOpenAt([MORNING], 1, minute))).toEqual(
    [false, true, true, false],
  )
})

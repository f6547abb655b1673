import { describe, expect, it } from 'vitest'
import { cleared, isOpenAt, painted } from './week-paint.ts'

const MORNING = { weekday: 1, start: '08:00', end: '12:00' }
const TUESDAY = { weekday: 2, start: '08:00', end: '12:00' }
const stroke = (start: number, end: number) => ({ weekday: 1, start: start * 60, end: end * 60 })

describe('painting', () => {
  it('adds hours in the order of the week', () => {
    expect(painted([TUESDAY], stroke(8, 12))).toEqual([MORNING, TUESDAY])
  })

  it('joins what touches or overlaps', () => {
    expect(painted([MORNING], stroke(12, 14))).toEqual([{ ...MORNING, end: '14:00' }])
    expect(painted([MORNING], stroke(7, 24))).toEqual([{ weekday: 1, start: '07:00', end: '24:00' }])
  })
})

it('leaves alone a window that is still being filled in', () => {
  const open = { weekday: 1, start: '', end: '17:00' }
  expect(painted([open], stroke(8, 12))).toEqual([open, MORNING])
})

describe('clearing', () => {
  it('cuts a hole, an end, or all', () => {
    expect(cleared([MORNING], stroke(9, 10))).toEqual([
      { ...MORNING, end: '09:00' },
      { ...MORNING, start: '10:00' },
    ])
    expect(cleared([MORNING], stroke(11, 15))).toEqual([{ ...MORNING, end: '11:00' }])
    expect(cleared([MORNING, TUESDAY], stroke(0, 24))).toEqual([TUESDAY])
  })
})

it('is open from the start of a window to before its end', () => {
  expect([7 * 60 + 59, 8 * 60, 12 * 60 - 1, 12 * 60].map((minute) => isOpenAt([MORNING], 1, minute))).toEqual(
    [false, true, true, false],
  )
})

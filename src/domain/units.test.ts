import { describe, expect, it } from 'vitest'
import { unitsOf } from './units.ts'

describe('units rounded to two decimals', () => {
  it.each([
    [0, 45, 0],
    [45, 45, 1],
    [90, 45, 2],
    [495, 45, 11],
    [60, 45, 1.33],
    [30, 45, 0.67],
    [50, 45, 1.11],
    [44, 45, 0.98],
    [1, 45, 0.02],
    [50, 50, 1],
    [75, 50, 1.5],
    [60, 50, 1.2],
    [51, 50, 1.02],
    [60, 60, 1],
    [90, 60, 1.5],
    [50, 60, 0.83],
    [100, 60, 1.67],
  ])('%i minutes in units of %i are %d', (minutes, unitMinutes, units) => {
    expect(unitsOf(minutes, unitMinutes)).toBe(units)
  })
})

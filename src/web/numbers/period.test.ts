import { describe, expect, it } from 'vitest'
import { isPossible, nextTo, periodAround, unitOf } from './period.ts'

describe('a period', () => {
  it.each([
    ['month', '2024-02-01', '2024-02-29'],
    ['quarter', '2024-01-01', '2024-03-31'],
    ['year', '2024-01-01', '2024-12-31'],
  ] as const)('is the %s of a day', (unit, from, to) => {
    expect(periodAround('2024-02-29', unit)).toEqual({ from, to })
    expect(unitOf({ from, to })).toBe(unit)
  })

  it('has one before and after it that is as long', () => {
    expect(nextTo({ from: '2024-03-01', to: '2024-03-31' }, -1)).toEqual({
      from: '2024-02-01',
      to: '2024-02-29',
    })
    expect(nextTo({ from: '2023-10-01', to: '2023-12-31' }, 1)).toEqual({
      from: '2024-01-01',
      to: '2024-03-31',
    })
    expect(nextTo({ from: '2024-03-05', to: '2024-03-14' }, -1)).toEqual({
      from: '2024-02-24',
      to: '2024-03-04',
    })
    expect(unitOf({ from: '2024-03-05', to: '2024-04-04' })).toBeUndefined()
  })

  it('is at most a year, and never backwards', () => {
    expect(isPossible({ from: '2024-01-01', to: '2024-12-31' })).toBe(true)
    expect(isPossible({ from: '2024-01-01', to: '2025-01-01' })).toBe(false)
    expect(isPossible({ from: '2024-01-02', to: '2024-01-01' })).toBe(false)
  })
})

import { expect, it } from 'vitest'
import { retainedUntil } from './retention.ts'

it.each([
  ['2026-02-03', { years: 5, from: 'end_of_year' }, '2031-12-31'],
  ['2026-12-31', { years: 5, from: 'end_of_year' }, '2031-12-31'],
  ['2027-01-01', { years: 5, from: 'end_of_year' }, '2032-12-31'],
  ['2026-02-03', { years: 3, from: 'day' }, '2029-02-03'],
  ['2028-02-29', { years: 3, from: 'day' }, '2031-03-01'],
  ['2028-02-29', { years: 4, from: 'day' }, '2032-02-29'],
] as const)('what ended on %s is kept under %j until %s', (day, rule, until) =>
  expect(retainedUntil(day, rule)).toBe(until),
)

import { expect, it } from 'vitest'
import { instructorWith, lesson, officeTime } from './agenda-builder.test-support.ts'
import { overLimitsOf } from './over-limits.ts'

const over = (limits: object, ...appointments: ReturnType<typeof lesson>[]) => [
  ...overLimitsOf({ instructor: instructorWith(limits), unit_minutes: 45, appointments }),
]

/** Five lessons of two units on a Monday. */
const MONDAY = [8, 10, 12, 14, 16].map((hour) => {
  const at = (one: number) => `${String(one).padStart(2, '0')}`
  return lesson(`2026-05-04 ${at(hour)}:00`, `${at(hour + 1)}:30`)
})

it.each([
  [{}, []],
  [{ max_daily_units: 10 }, []],
  [{ max_daily_units: 9 }, [['2026-05-04 16:00', 'day']]],
  [{ max_daily_units: 9, max_daily_override: 10 }, []],
  [{ max_daily_units: 3 }, ['10', '12', '14', '16'].map((hour) => [`2026-05-04 ${hour}:00`, 'day'])],
  [{ max_weekly_units: 6 }, ['14', '16'].map((hour) => [`2026-05-04 ${hour}:00`, 'week'])],
] as const)('names the last lessons of a day or week under %o', (limits, expected) => {
  expect(over(limits, ...MONDAY.toReversed())).toEqual(expected)
})

it('counts neither office time nor lessons that have to go already', () => {
  const office = officeTime('2026-05-04 07:00', '07:45')
  const short = lesson('2026-05-04 18:00', '18:45')
  expect(over({ max_daily_units: 3 }, office, ...MONDAY.slice(0, 2), short)).toEqual([
    ['2026-05-04 10:00', 'day'],
  ])
})

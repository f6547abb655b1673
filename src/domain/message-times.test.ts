import { describe, expect, it } from 'vitest'
import { afterQuiet, plannedDay } from './message-times.ts'

describe('quiet hours', () => {
  const QUIET = { from: '22:00', to: '02:30' }
  const endFor = (now: string, quiet = QUIET) =>
    afterQuiet(new Date(now), quiet, 'Europe/Berlin').toISOString()

  it.each([
    ['at 02:30 on an ordinary night', '2026-06-01T21:00:00.000Z', '2026-06-02T00:30:00.000Z'],
    ['an hour later if the clocks skip 02:30', '2026-03-28T23:30:00.000Z', '2026-03-29T01:30:00.000Z'],
    ['at the first 02:30 if it occurs twice', '2026-10-25T00:10:00.000Z', '2026-10-25T00:30:00.000Z'],
    [
      'at the second 02:30 for a time between the two',
      '2026-10-25T01:10:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ],
  ])('end %s', (_, now, end) => {
    expect(endFor(now)).toBe(end)
  })

  it('never end before the given time', () => {
    const start = Date.parse('2026-10-24T18:00:00Z')
    for (let minute = 0; minute < 12 * 60; minute += 1) {
      const now = new Date(start + minute * 60_000)
      for (const quiet of [QUIET, { from: '02:00', to: '02:30' }, { from: '23:00', to: '03:00' }])
        expect(afterQuiet(now, quiet, 'Europe/Berlin').getTime()).toBeGreaterThanOrEqual(now.getTime())
    }
  })
})

it("the next day's plan is due only from 18:00 to midnight", () => {
  const dayAt = (now: string) => plannedDay(new Date(now), 'Europe/Berlin')
  expect(dayAt('2099-03-01T16:59:00Z')).toBeUndefined()
  expect(dayAt('2099-03-01T17:00:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T22:59:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T23:00:00Z')).toBeUndefined()
})

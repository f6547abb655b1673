import { describe, expect, it } from 'vitest'
import { afterQuiet, plannedDay, remindersOf } from './message-times.ts'

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

describe('a reminder that quiet hours would shift to the lesson or later', () => {
  const timesFor = (
    start: string,
    after: string,
    { reminder_hours = [2], quiet = { from: '22:00', to: '07:00' } } = {},
  ) =>
    remindersOf(start, { reminder_hours, quiet }, { timezone: 'Europe/Berlin', after: new Date(after) }).map(
      ({ send_at, worth_until }) => [send_at.toISOString(), worth_until.toISOString()],
    )
  const BEFORE = '2026-06-01T10:00:00Z'
  const START = '2026-06-02T04:30:00.000Z'

  it('is sent in the last minute before they begin', () => {
    expect(timesFor('2026-06-02 06:30', BEFORE)).toEqual([['2026-06-01T19:59:00.000Z', START]])
    expect(timesFor('2026-06-02 07:00', BEFORE)).toEqual([
      ['2026-06-01T19:59:00.000Z', '2026-06-02T05:00:00.000Z'],
    ])
    expect(timesFor('2026-06-02 07:01', BEFORE)).toEqual([
      ['2026-06-02T05:00:00.000Z', '2026-06-02T05:01:00.000Z'],
    ])
  })

  it('is not sent if that minute has passed when the lesson is booked', () => {
    expect(timesFor('2026-06-02 06:30', '2026-06-01T19:58:59Z')).toHaveLength(1)
    expect(timesFor('2026-06-02 06:30', '2026-06-01T19:59:00Z')).toEqual([])
    expect(timesFor('2026-06-02 06:30', '2026-06-01T20:30:00Z')).toEqual([])
  })

  it('replaces another one that is due no later', () => {
    const quiet = { from: '22:00', to: '07:00' }
    expect(timesFor('2026-06-02 06:30', BEFORE, { reminder_hours: [10, 8, 2], quiet })).toEqual([
      ['2026-06-01T18:30:00.000Z', '2026-06-01T19:59:00.000Z'],
      ['2026-06-01T19:59:00.000Z', START],
    ])
  })

  it('is sent before quiet hours of the same day', () => {
    const quiet = { from: '12:00', to: '15:00' }
    expect(timesFor('2026-06-02 14:30', BEFORE, { quiet })).toEqual([
      ['2026-06-02T09:59:00.000Z', '2026-06-02T12:30:00.000Z'],
    ])
  })
})

it("the next day's plan is due only from 18:00 to midnight", () => {
  const dayAt = (now: string) => plannedDay(new Date(now), 'Europe/Berlin')
  expect(dayAt('2099-03-01T16:59:00Z')).toBeUndefined()
  expect(dayAt('2099-03-01T17:00:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T22:59:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T23:00:00Z')).toBeUndefined()
})

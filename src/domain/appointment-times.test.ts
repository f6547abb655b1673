import { describe, expect, it } from 'vitest'
import { intervalFaultFor, timeFaultsFor } from './appointment-times.ts'

describe('an appointment from 2026-03-02 10:00', () => {
  const start_at = '2026-03-02 10:00'
  it.each([
    ['2026-03-02 09:59', 'wrong_order'],
    ['2026-03-02 10:00', 'wrong_order'],
    ['2026-03-02 10:01', undefined],
    ['2026-03-03 10:00', undefined],
    ['2026-03-03 10:01', 'too_long'],
  ])('until %s has the fault %s', (end_at, code) => {
    expect(intervalFaultFor({ start_at, end_at })?.code).toBe(code)
  })

  it('reports the longest allowed length of 1440 minutes', () => {
    expect(intervalFaultFor({ start_at, end_at: '2026-03-03 10:01' })).toEqual({
      code: 'too_long',
      field: 'end_at',
      minutes: 1441,
      longest_minutes: 1440,
    })
  })
})

describe('the time faults', () => {
  const zone = 'Europe/Berlin'
  const skipped = '2026-03-29 02:30'

  it('list the faults of each time before those of the interval', () => {
    expect(timeFaultsFor({ start_at: skipped, end_at: skipped }, zone)).toEqual([
      { code: 'skipped_time', field: 'start_at', time: skipped, timezone: zone },
      { code: 'skipped_time', field: 'end_at', time: skipped, timezone: zone },
      { code: 'wrong_order', field: 'end_at', start_at: skipped },
    ])
  })

  it('are found if only one time is given', () => {
    expect(timeFaultsFor({ end_at: skipped }, zone).map(({ field }) => field)).toEqual(['end_at'])
    expect(timeFaultsFor({ start_at: '2026-03-29 03:00' }, zone)).toEqual([])
    expect(timeFaultsFor({}, zone)).toEqual([])
  })

  it('are empty in a zone without daylight saving time', () => {
    expect(timeFaultsFor({ start_at: skipped, end_at: '2026-03-29 03:30' }, 'Africa/Lagos')).toEqual([])
  })
})

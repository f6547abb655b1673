import { describe, expect, it } from 'vitest'
import { intervalFaultFor, timeFaultsFor } from './appointment-times.ts'

describe('two times', () => {
  const start_at = '2026-03-02 10:00'
  it.each([
    ['2026-03-02 09:59', 'wrong_order'],
    ['2026-03-02 10:00', 'wrong_order'],
    ['2026-03-02 10:01', undefined],
    ['2026-03-03 10:00', undefined],
    ['2026-03-03 10:01', 'too_long'],
  ])('from 2026-03-02 10:00 to %s are at fault: %s', (end_at, code) => {
    expect(intervalFaultFor({ start_at, end_at })?.code).toBe(code)
  })

  it('say how long they may be', () => {
    expect(intervalFaultFor({ start_at, end_at: '2026-03-03 10:01' })).toEqual({
      code: 'too_long',
      field: 'end_at',
      minutes: 1441,
      longest_minutes: 1440,
    })
  })
})

describe('all faults', () => {
  const zone = 'Europe/Berlin'
  const skipped = '2026-03-29 02:30'

  it('are of each time, and then of both', () => {
    expect(timeFaultsFor({ start_at: skipped, end_at: skipped }, zone)).toEqual([
      { code: 'skipped_time', field: 'start_at', time: skipped, timezone: zone },
      { code: 'skipped_time', field: 'end_at', time: skipped, timezone: zone },
      { code: 'wrong_order', field: 'end_at', start_at: skipped },
    ])
  })

  it('are found of the only time that is given', () => {
    expect(timeFaultsFor({ end_at: skipped }, zone).map(({ field }) => field)).toEqual(['end_at'])
    expect(timeFaultsFor({ start_at: '2026-03-29 03:00' }, zone)).toEqual([])
    expect(timeFaultsFor({}, zone)).toEqual([])
  })

  it('are none where no clock is put forward', () => {
    expect(timeFaultsFor({ start_at: skipped, end_at: '2026-03-29 03:30' }, 'Africa/Lagos')).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { agendaWith, lesson } from './agenda-builder.test-support.ts'
import { refusalFor } from './booking.ts'
import type { BusyPolicy } from './busy-policy.ts'

const busy = (start: string, end: string) => ({
  start_at: `2026-03-02 ${start}`,
  end_at: `2026-03-02 ${end}`,
})

const refused = (busy_calendars: BusyPolicy | undefined, ...busy_times: ReturnType<typeof busy>[]) =>
  refusalFor(lesson('2026-03-02 10:00', '11:30'), {
    ...agendaWith({ rules: { busy_times } }),
    busy_calendars,
  })

describe('a busy time of a calendar kept elsewhere', () => {
  it('refuses a lesson that it overlaps, not one that it touches', () => {
    const table = [
      ['09:00', '10:00', false],
      ['09:00', '10:01', true],
      ['10:30', '10:31', true],
      ['11:29', '12:00', true],
      ['11:30', '12:00', false],
    ] as const
    for (const [start, end, isRefused] of table)
      expect(refused('refuse', busy(start, end)), start).toEqual(
        isRefused ? { code: 'instructor_busy_elsewhere', params: busy(start, end) } : undefined,
      )
  })

  it('is reported as the earliest of several', () => {
    expect(refused('refuse', busy('11:00', '11:10'), busy('09:50', '10:05'))?.params).toEqual(
      busy('09:50', '10:05'),
    )
  })

  it('refuses nothing unless the school refuses such times', () => {
    for (const policy of ['ignore', 'warn', undefined] as const)
      expect(refused(policy, busy('10:00', '11:00'))).toBeUndefined()
  })
})

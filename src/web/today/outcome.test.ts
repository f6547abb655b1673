import { describe, expect, it } from 'vitest'
import { actualTimes, canStart, correctedTo, done, started } from './outcome.ts'

const DAY = '2027-03-01'
const at = (time: string) => `${DAY} ${time}`
const planned = {
  status: 'planned' as const,
  start_at: at('10:00'),
  end_at: at('11:30'),
  actual_start_at: null,
  actual_end_at: null,
}
const under = { ...planned, actual_start_at: at('10:05'), actual_end_at: at('11:35') }

describe('a lesson', () => {
  it.each([
    ['09:29', false],
    ['09:30', true],
    ['11:29', true],
    ['11:30', false],
  ])('from 10:00 to 11:30 can be started at %s: %s', (time, can) => {
    expect(canStart(planned, at(time))).toBe(can)
  })

  it.each([
    ['already started', under],
    ['done', { ...planned, status: 'completed' as const }],
    ['cancelled', { ...planned, status: 'cancelled' as const }],
  ])('cannot be started if it is %s', (_, lesson) => {
    expect(canStart(lesson, at('10:00'))).toBe(false)
  })

  it('that starts 5 minutes late ends 5 minutes later', () => {
    expect(started(planned, at('10:05'))).toEqual({
      actual_start_at: at('10:05'),
      actual_end_at: at('11:35'),
    })
  })

  it.each([
    ['was never started gets no actual end', planned, '11:30', undefined],
    ['is done early ends at that time', under, '11:20', '11:20'],
    ['is done 30 minutes late ends at that time', under, '12:05', '12:05'],
    ['is done more than 30 minutes late gets no new actual end', under, '12:06', undefined],
    ['is done in the minute of its start ends a minute later', under, '10:05', '10:06'],
  ])('that %s', (_, lesson, now, end) => {
    const change = done(lesson, at(now))
    expect(change.status).toBe('completed')
    expect(change.actual_end_at).toBe(end && at(end))
  })

  it('offers its actual times for correction, or else the planned ones', () => {
    expect(actualTimes(planned)).toEqual({ start: '10:00', end: '11:30' })
    expect(actualTimes(under)).toEqual({ start: '10:05', end: '11:35' })
  })

  it.each([
    ['10:00', '11:30', '10:04', '11:41', '03-01 10:04', '03-01 11:41'],
    ['10:00', '11:30', '04:00', '03:30', '03-01 04:00', '03-01 03:30'],
    ['22:45', '00:15', '23:10', '00:40', '03-01 23:10', '03-02 00:40'],
    ['22:45', '00:15', '22:40', '23:55', '03-01 22:40', '03-01 23:55'],
    ['23:50', '01:20', '00:05', '01:35', '03-02 00:05', '03-02 01:35'],
    ['00:10', '01:40', '23:55', '01:25', '02-28 23:55', '03-01 01:25'],
  ])('planned for %s–%s and corrected to %s–%s took place %s–%s', (start, end, from, until, first, last) => {
    const end_at = `2027-03-0${end < start ? 2 : 1} ${end}`
    expect(correctedTo({ ...planned, start_at: at(start), end_at }, { start: from, end: until })).toEqual({
      actual_start_at: `2027-${first}`,
      actual_end_at: `2027-${last}`,
    })
  })
})

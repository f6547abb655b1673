import { describe, expect, it } from 'vitest'
import { afterQuiet, noticeFor, plannedDay } from './messages.ts'

describe('quiet hours end', () => {
  const QUIET = { from: '22:00', to: '02:30' }
  const endFor = (now: string, quiet = QUIET) =>
    afterQuiet(new Date(now), quiet, 'Europe/Berlin').toISOString()

  it.each([
    ['on a plain night', '2026-06-01T21:00:00.000Z', '2026-06-02T00:30:00.000Z'],
    ['when clocks skip their end', '2026-03-28T23:30:00.000Z', '2026-03-29T01:30:00.000Z'],
    ['the first time, when they end twice', '2026-10-25T00:10:00.000Z', '2026-10-25T00:30:00.000Z'],
    ['the second time for a moment between', '2026-10-25T01:10:00.000Z', '2026-10-25T01:30:00.000Z'],
  ])('%s', (_, now, end) => {
    expect(endFor(now)).toBe(end)
  })

  it('never before the moment itself', () => {
    const start = Date.parse('2026-10-24T18:00:00Z')
    for (let minute = 0; minute < 12 * 60; minute += 1) {
      const now = new Date(start + minute * 60_000)
      for (const quiet of [QUIET, { from: '02:00', to: '02:30' }, { from: '23:00', to: '03:00' }])
        expect(afterQuiet(now, quiet, 'Europe/Berlin').getTime()).toBeGreaterThanOrEqual(now.getTime())
    }
  })
})

describe('a notice takes a student from the known lesson to the present one', () => {
  const lesson = {
    appointment_id: 'a',
    start_at: '2099-03-09 08:00',
    end_at: '2099-03-09 09:30',
    instructor_id: 'i',
  }
  const later = { ...lesson, start_at: '2099-03-10 08:00', end_at: '2099-03-10 09:30' }
  const { appointment_id: _, ...was } = lesson

  it.each([
    [
      'an unknown one that is planned',
      undefined,
      lesson,
      { kind: 'booked', lesson: { ...lesson, was: null } },
    ],
    ['a known one that is gone', lesson, undefined, { kind: 'cancelled', lesson: { ...lesson, was: null } }],
    ['a known one that has moved', lesson, later, { kind: 'moved', lesson: { ...later, was } }],
  ] as const)('%s', (_, known, present, notice) => {
    expect(noticeFor('s', known, present)).toEqual({ ...notice, student_id: 's' })
  })

  it('and there is none if nothing is new', () => {
    expect(noticeFor('s', lesson, { ...lesson })).toBeUndefined()
    expect(noticeFor('s', undefined, undefined)).toBeUndefined()
  })
})

it('a plan of the next day is due in the evening only', () => {
  const dayAt = (now: string) => plannedDay(new Date(now), 'Europe/Berlin')
  expect(dayAt('2099-03-01T16:59:00Z')).toBeUndefined()
  expect(dayAt('2099-03-01T17:00:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T22:59:00Z')).toBe('2099-03-02')
  expect(dayAt('2099-03-01T23:00:00Z')).toBeUndefined()
})

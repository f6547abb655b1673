import { describe, expect, it } from 'vitest'
import { type Occupancy, type TimedAppointment, type TimedProposal, timed, timedByStart } from './agenda.ts'
import { lesson } from './agenda-builder.test-support.ts'
import { conflictRefusalFor } from './conflicts.ts'

const conflictsOf =
  (kind: Occupancy['kind']) => (proposed: TimedProposal, appointments: readonly TimedAppointment[]) =>
    conflictRefusalFor(proposed, { kind, id: kind, appointments })

describe.each([
  ['instructor', 'instructor_busy'],
  ['student', 'student_busy'],
] as const)('the %s with a lesson from 10:00 to 11:00', (kind, code) => {
  const conflictFor = conflictsOf(kind)
  const booked = timedByStart([lesson('2026-03-02 10:00', '11:00')])

  it.each([
    ['08:00', '09:59', 'ends a minute before the lesson'],
    ['08:00', '10:00', 'ends when the lesson starts'],
    ['11:00', '12:00', 'starts when the lesson ends'],
    ['11:01', '12:00', 'starts a minute after the lesson'],
  ])('is free from %s to %s, which %s', (start, end) => {
    expect(conflictFor(timed(lesson(`2026-03-02 ${start}`, end)), booked)).toBeUndefined()
  })

  it.each([
    ['09:00', '10:01', 'ends a minute into the lesson'],
    ['09:30', '10:30', 'overlaps the start of the lesson'],
    ['10:59', '12:00', 'starts in the last minute of the lesson'],
    ['10:30', '11:30', 'overlaps the end of the lesson'],
    ['10:00', '11:00', 'equals the lesson'],
    ['10:00', '10:30', 'starts with the lesson and ends sooner'],
    ['10:00', '12:00', 'starts with the lesson and ends later'],
    ['10:30', '11:00', 'ends with the lesson'],
    ['09:00', '11:00', 'starts sooner and ends with the lesson'],
    ['10:15', '10:45', 'lies inside the lesson'],
    ['09:00', '12:00', 'contains the lesson'],
  ])('is busy from %s to %s, which %s', (start, end) => {
    expect(conflictFor(timed(lesson(`2026-03-02 ${start}`, end)), booked)).toEqual({
      code,
      params: {
        appointment_id: '2026-03-02 10:00',
        start_at: '2026-03-02 10:00',
        end_at: '2026-03-02 11:00',
      },
    })
  })

  it('is free at the same time of the next day and of the next week', () => {
    expect(conflictFor(timed(lesson('2026-03-03 10:00', '11:00')), booked)).toBeUndefined()
    expect(conflictFor(timed(lesson('2026-03-09 10:00', '11:00')), booked)).toBeUndefined()
  })
})

describe.each([
  ['instructor', 'instructor_busy'],
  ['student', 'student_busy'],
] as const)('the %s', (kind, _) => {
  const conflictFor = conflictsOf(kind)

  it('without appointments is free', () => {
    expect(conflictFor(timed(lesson('2026-03-02 10:00', '11:00')), [])).toBeUndefined()
  })

  it.each([
    ['2026-03-03 00:59', true],
    ['2026-03-03 01:00', false],
  ])('with a lesson from 23:00 to 01:00 is busy at %s: %s', (start_at, busy) => {
    const booked = timedByStart([lesson('2026-03-02 23:00', '2026-03-03 01:00')])
    expect(conflictFor(timed(lesson(start_at, '02:00')), booked) !== undefined).toBe(busy)
  })

  it('with a lesson that ends at midnight is free from midnight on', () => {
    const booked = timedByStart([lesson('2026-03-02 23:00', '2026-03-03 00:00')])
    expect(conflictFor(timed(lesson('2026-03-03 00:00', '01:00')), booked)).toBeUndefined()
  })

  it('with two conflicting lessons is busy with the earlier one', () => {
    const booked = timedByStart([lesson('2026-03-02 12:00', '13:00'), lesson('2026-03-02 10:00', '11:00')])
    const refusal = conflictFor(timed(lesson('2026-03-02 10:30', '12:30')), booked)
    expect(refusal?.params).toMatchObject({ appointment_id: '2026-03-02 10:00' })
  })
})

import { describe, expect, it } from 'vitest'
import { type CountedAppointment, timed, timedByStart } from './agenda.ts'
import { lesson, officeTime } from './agenda-builder.test-support.ts'
import { breakRefusalFor } from './breaks.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'

const shortBreak = (
  required_break_minutes: number,
  proposal: CountedAppointment,
  booked: readonly CountedAppointment[],
) =>
  breakRefusalFor(timed(proposal), timedByStart(booked), {
    required_break_minutes,
    max_continuous_minutes: null,
  })

const noon = lesson('2026-03-02 12:00', '13:00')
/** Returns a lesson from 09:00 until `gap` minutes before noon's lesson. */
const endingBefore = (gap: number) =>
  lesson('2026-03-02 09:00', localDateTimeFor(minuteOf('2026-03-02 12:00') - gap), { id: 'before' })
/** Returns a lesson from `gap` minutes after noon's lesson until 18:00. */
const startingAfter = (gap: number) =>
  lesson(localDateTimeFor(minuteOf('2026-03-02 13:00') + gap), '18:00', { id: 'after' })

describe.each([10, 15, 20, 90])('a required break of %i minutes', (required) => {
  it.each([
    ['one minute shorter is rejected', -1, true],
    ['of exactly that length is accepted', 0, false],
    ['one minute longer is accepted', 1, false],
  ])('a gap %s', (_, extra, refused) => {
    const gap_minutes = required + extra
    const before = shortBreak(required, noon, [endingBefore(gap_minutes)])
    const after = shortBreak(required, noon, [startingAfter(gap_minutes)])
    const params = { gap_minutes, required_minutes: required }
    const code = 'break_too_short'
    expect(before).toEqual(refused ? { code, params: { ...params, appointment_id: 'before' } } : undefined)
    expect(after).toEqual(refused ? { code, params: { ...params, appointment_id: 'after' } } : undefined)
  })

  it('rejects a lesson that touches the previous or next one', () => {
    expect(shortBreak(required, noon, [endingBefore(0)])?.params).toMatchObject({ gap_minutes: 0 })
    expect(shortBreak(required, noon, [startingAfter(0)])?.params).toMatchObject({ gap_minutes: 0 })
  })
})

describe('the required break', () => {
  it('at 0 minutes, lets lessons touch', () => {
    expect(shortBreak(0, noon, [endingBefore(0), startingAfter(0)])).toBeUndefined()
  })

  it('at 1 minute, does not let lessons touch', () => {
    expect(shortBreak(1, noon, [endingBefore(0)])).toBeDefined()
  })

  it('does not apply to an instructor without other appointments', () => {
    expect(shortBreak(1440, noon, [])).toBeUndefined()
  })

  it.each([
    [10, 10, 'before', 'together they are long enough, but each is too short'],
    [10, 90, 'before', 'a long gap after does not make up for a short one before'],
    [90, 10, 'after', 'a long gap before does not make up for a short one after'],
    [19, 0, 'before', 'the earlier of two short gaps is reported'],
  ])(
    'at 20 minutes, rejects gaps of %i and %i as too short %s: %s',
    (gapBefore, gapAfter, appointment_id) => {
      const refusal = shortBreak(20, noon, [startingAfter(gapAfter), endingBefore(gapBefore)])
      expect(refusal?.params).toMatchObject({ appointment_id })
    },
  )

  it('at 20 minutes, accepts gaps of 20 on both sides', () => {
    expect(shortBreak(20, noon, [endingBefore(20), startingAfter(20)])).toBeUndefined()
  })

  it.each([
    ['2026-03-02 23:50', '2026-03-03 00:09', 'the night'],
    ['2026-03-08 23:50', '2026-03-09 00:09', 'the end of a week'],
    ['2026-03-31 23:50', '2026-04-01 00:09', 'the end of a month'],
    ['2026-12-31 23:50', '2027-01-01 00:09', 'the end of a year'],
  ])('between %s and %s is measured across %s', (end, start) => {
    const before = lesson(`${end.slice(0, 10)} 22:00`, end)
    const after = lesson(start, '02:00')
    expect(shortBreak(20, after, [before])?.params).toMatchObject({ gap_minutes: 19 })
    expect(shortBreak(20, before, [after])?.params).toMatchObject({ gap_minutes: 19 })
    expect(shortBreak(19, after, [before])).toBeUndefined()
    expect(shortBreak(19, before, [after])).toBeUndefined()
  })

  it('is measured from a lesson that ended at midnight', () => {
    const before = lesson('2026-03-02 22:00', '2026-03-03 00:00')
    expect(shortBreak(10, lesson('2026-03-03 00:09', '01:00'), [before])).toBeDefined()
    expect(shortBreak(10, lesson('2026-03-03 00:10', '01:00'), [before])).toBeUndefined()
  })

  it('is measured to the nearest of several lessons', () => {
    const booked = [
      lesson('2026-03-02 06:00', '07:00'),
      endingBefore(5),
      startingAfter(30),
      lesson('2026-03-02 19:00', '20:00'),
    ]
    expect(shortBreak(10, noon, booked)?.params).toMatchObject({ gap_minutes: 5, appointment_id: 'before' })
  })

  it('is measured to the lesson that ends last, even if another starts later', () => {
    const booked = [lesson('2026-03-02 08:00', '11:55', { id: 'long' }), lesson('2026-03-02 09:00', '10:00')]
    expect(shortBreak(10, noon, booked)?.params).toMatchObject({ appointment_id: 'long', gap_minutes: 5 })
  })

  it('also applies to appointments that do not count toward the unit limits', () => {
    expect(shortBreak(10, noon, [officeTime('2026-03-02 09:00', '11:55')])).toBeDefined()
    expect(shortBreak(10, officeTime('2026-03-02 12:00', '13:00'), [startingAfter(5)])).toBeDefined()
  })
})

describe('an appointment that overlaps the proposal', () => {
  const overlapping = lesson('2026-03-02 11:00', '15:00')

  it('is ignored when gaps are measured', () => {
    expect(shortBreak(30, noon, [overlapping])).toBeUndefined()
    expect(shortBreak(30, noon, [overlapping, endingBefore(29)])?.params).toMatchObject({ gap_minutes: 29 })
  })
})

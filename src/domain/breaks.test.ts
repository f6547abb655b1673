import { describe, expect, it } from 'vitest'
import type { BreakRule, CountedAppointment } from './agenda.ts'
import { lesson, officeTime, timed, timedAll } from './agenda-builder.test-support.ts'
import { breakRefusalFor, continuousRefusalFor, stretchAround, sufficientBreakMinutes } from './breaks.ts'
import { intervalOf, minutesOf } from './interval.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'

const shortBreak = (
  required_break_minutes: number,
  proposal: CountedAppointment,
  booked: readonly CountedAppointment[],
) =>
  breakRefusalFor(timed(proposal), timedAll(booked), { required_break_minutes, max_continuous_minutes: null })

const tooLong = (
  rule: Partial<BreakRule>,
  proposal: CountedAppointment,
  booked: readonly CountedAppointment[] = [],
) =>
  continuousRefusalFor(timed(proposal), timedAll(booked), {
    required_break_minutes: 0,
    max_continuous_minutes: 360,
    ...rule,
  })

const spanOf = (
  required_break_minutes: number,
  proposal: CountedAppointment,
  booked: readonly CountedAppointment[],
) =>
  minutesOf(
    stretchAround(intervalOf(proposal), booked.map(intervalOf), {
      required_break_minutes,
      max_continuous_minutes: null,
    }),
  )

const noon = lesson('2026-03-02 12:00', '13:00')
/** Starts at 09:00 and ends the given minutes before noon's lesson. */
const endingBefore = (gap: number) =>
  lesson('2026-03-02 09:00', localDateTimeFor(minuteOf('2026-03-02 12:00') - gap), { id: 'before' })
/** Starts the given minutes after noon's lesson and ends at 18:00. */
const startingAfter = (gap: number) =>
  lesson(localDateTimeFor(minuteOf('2026-03-02 13:00') + gap), '18:00', { id: 'after' })

describe.each([10, 15, 20, 90])('a required break of %i minutes', (required) => {
  it.each([
    ['a minute shorter is refused', -1, true],
    ['of exactly that length is enough', 0, false],
    ['a minute longer is enough', 1, false],
  ])('a gap %s', (_, extra, refused) => {
    const gap_minutes = required + extra
    const before = shortBreak(required, noon, [endingBefore(gap_minutes)])
    const after = shortBreak(required, noon, [startingAfter(gap_minutes)])
    const params = { gap_minutes, required_minutes: required }
    const code = 'break_too_short'
    expect(before).toEqual(refused ? { code, params: { ...params, appointment_id: 'before' } } : undefined)
    expect(after).toEqual(refused ? { code, params: { ...params, appointment_id: 'after' } } : undefined)
  })

  it('refuses a lesson that touches the one before or after', () => {
    expect(shortBreak(required, noon, [endingBefore(0)])?.params).toMatchObject({ gap_minutes: 0 })
    expect(shortBreak(required, noon, [startingAfter(0)])?.params).toMatchObject({ gap_minutes: 0 })
  })
})

describe('the required break', () => {
  it('of 0 minutes lets lessons touch', () => {
    expect(shortBreak(0, noon, [endingBefore(0), startingAfter(0)])).toBeUndefined()
  })

  it('of a minute does not let lessons touch', () => {
    expect(shortBreak(1, noon, [endingBefore(0)])).toBeDefined()
  })

  it('asks nothing of an instructor without appointments', () => {
    expect(shortBreak(1440, noon, [])).toBeUndefined()
  })

  it.each([
    [10, 10, 'before', 'together they are long enough, but each is too short'],
    [10, 90, 'before', 'a long one after does not make up for a short one before'],
    [90, 10, 'after', 'a long one before does not make up for a short one after'],
    [19, 0, 'before', 'the earlier of two short ones is named'],
  ])('of 20 minutes, with gaps of %i and %i, is too short %s: %s', (gapBefore, gapAfter, appointment_id) => {
    const refusal = shortBreak(20, noon, [startingAfter(gapAfter), endingBefore(gapBefore)])
    expect(refusal?.params).toMatchObject({ appointment_id })
  })

  it('of 20 minutes is kept by gaps of 20 on both sides', () => {
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

  it('is measured to the nearest of several', () => {
    const booked = [
      lesson('2026-03-02 06:00', '07:00'),
      endingBefore(5),
      startingAfter(30),
      lesson('2026-03-02 19:00', '20:00'),
    ]
    expect(shortBreak(10, noon, booked)?.params).toMatchObject({ gap_minutes: 5, appointment_id: 'before' })
  })

  it('is measured to the one that ends last, even if another starts after it', () => {
    const booked = [lesson('2026-03-02 08:00', '11:55', { id: 'long' }), lesson('2026-03-02 09:00', '10:00')]
    expect(shortBreak(10, noon, booked)?.params).toMatchObject({ appointment_id: 'long', gap_minutes: 5 })
  })

  it('is kept to appointments that stay out of the unit limits, too', () => {
    expect(shortBreak(10, noon, [officeTime('2026-03-02 09:00', '11:55')])).toBeDefined()
    expect(shortBreak(10, officeTime('2026-03-02 12:00', '13:00'), [startingAfter(5)])).toBeDefined()
  })
})

describe('a sufficient break', () => {
  it.each([
    [0, 15],
    [14, 15],
    [15, 15],
    [16, 16],
    [60, 60],
  ])('is, where %i minutes are required, %i minutes long', (required_break_minutes, minutes) => {
    expect(sufficientBreakMinutes({ required_break_minutes, max_continuous_minutes: null })).toBe(minutes)
  })
})

describe('the stretch around a lesson of an hour', () => {
  it.each([
    [0, 0, true],
    [0, 14, true],
    [0, 15, false],
    [0, 16, false],
    [10, 14, true],
    [10, 15, false],
    [30, 15, true],
    [30, 29, true],
    [30, 30, false],
    [30, 31, false],
  ])('with %i minutes required, goes on over a gap of %i: %s', (required, gap, goesOn) => {
    expect(spanOf(required, noon, [endingBefore(gap)])).toBe(goesOn ? 240 : 60)
    expect(spanOf(required, noon, [startingAfter(gap)])).toBe(goesOn ? 360 : 60)
  })

  it('runs through every short gap on both sides and stops at the first sufficient one', () => {
    const booked = [
      lesson('2026-03-02 07:00', '08:00'),
      lesson('2026-03-02 08:15', '10:00'),
      lesson('2026-03-02 10:14', '11:46'),
      lesson('2026-03-02 13:10', '14:00'),
      lesson('2026-03-02 14:14', '15:00'),
      lesson('2026-03-02 15:15', '19:00'),
    ]
    const rule = { required_break_minutes: 0, max_continuous_minutes: null }
    for (const order of [booked, booked.toReversed()]) {
      const stretch = stretchAround(intervalOf(noon), order.map(intervalOf), rule)
      expect(localDateTimeFor(stretch.start)).toBe('2026-03-02 08:15')
      expect(localDateTimeFor(stretch.end)).toBe('2026-03-02 15:00')
    }
  })

  it('is the lesson itself if nothing is near', () => {
    expect(spanOf(0, noon, [])).toBe(60)
    expect(spanOf(0, noon, [lesson('2026-03-01 12:00', '13:00'), lesson('2026-03-03 12:00', '13:00')])).toBe(
      60,
    )
  })

  it('reaches to the start of the longest, even if a shorter one lies inside it', () => {
    const booked = [lesson('2026-03-02 09:00', '12:00'), lesson('2026-03-02 10:00', '11:00')]
    expect(spanOf(0, noon, booked)).toBe(240)
    const later = [lesson('2026-03-02 13:00', '16:00'), lesson('2026-03-02 14:00', '15:00')]
    expect(spanOf(0, noon, later)).toBe(240)
  })
})

describe('at most 360 continuous minutes', () => {
  it.each([
    ['13:59', false],
    ['14:00', false],
    ['14:01', true],
  ])('refuse a single lesson from 08:00 to %s: %s', (end, refused) => {
    expect(tooLong({}, lesson('2026-03-02 08:00', end)) !== undefined).toBe(refused)
  })

  it.each([
    ['14:59', false],
    ['15:00', false],
    ['15:01', true],
  ])('refuse 12:00 to %s after 09:00 to 11:50: %s', (end, refused) => {
    const booked = [lesson('2026-03-02 09:00', '11:50')]
    expect(tooLong({}, lesson('2026-03-02 12:00', end), booked) !== undefined).toBe(refused)
  })

  it('are told with the stretch, gaps included', () => {
    const booked = [lesson('2026-03-02 09:00', '11:50'), officeTime('2026-03-02 13:10', '15:30')]
    expect(tooLong({}, noon, booked)).toEqual({
      code: 'continuous_minutes_exceeded',
      params: { minutes: 390, limit_minutes: 360, start_at: '2026-03-02 09:00', end_at: '2026-03-02 15:30' },
    })
  })

  it('refuse to fill the break between two stretches', () => {
    const booked = [lesson('2026-03-02 08:00', '11:00'), lesson('2026-03-02 12:00', '15:00')]
    expect(tooLong({}, lesson('2026-03-02 11:14', '11:46'), booked)).toBeDefined()
    expect(tooLong({}, lesson('2026-03-02 11:15', '11:45'), booked)).toBeUndefined()
  })

  it('go on across midnight', () => {
    const booked = [lesson('2026-03-02 20:00', '2026-03-03 00:00')]
    expect(tooLong({}, lesson('2026-03-03 00:00', '02:00'), booked)).toBeUndefined()
    expect(tooLong({}, lesson('2026-03-03 00:00', '02:01'), booked)?.params).toEqual({
      minutes: 361,
      limit_minutes: 360,
      start_at: '2026-03-02 20:00',
      end_at: '2026-03-03 02:01',
    })
  })

  it('are no limit if null', () => {
    const proposal = lesson('2026-03-02 00:00', '2026-03-03 00:00')
    expect(tooLong({ max_continuous_minutes: null }, proposal)).toBeUndefined()
  })
})

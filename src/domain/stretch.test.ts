import { describe, expect, it } from 'vitest'
import { type BreakRule, type CountedAppointment, timed, timedByStart } from './agenda.ts'
import { lesson, officeTime } from './agenda-builder.test-support.ts'
import { intervalOf, minutesOf } from './interval.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { continuousRefusalFor, stretchAround, sufficientBreakMinutes } from './stretch.ts'

const tooLong = (
  rule: Partial<BreakRule>,
  proposal: CountedAppointment,
  booked: readonly CountedAppointment[] = [],
) =>
  continuousRefusalFor(timed(proposal), timedByStart(booked), {
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
    stretchAround(intervalOf(proposal), timedByStart(booked), {
      required_break_minutes,
      max_continuous_minutes: null,
    }),
  )

const noon = lesson('2026-03-02 12:00', '13:00')
/** Returns a lesson from 09:00 until `gap` minutes before noon's lesson. */
const endingBefore = (gap: number) =>
  lesson('2026-03-02 09:00', localDateTimeFor(minuteOf('2026-03-02 12:00') - gap), { id: 'before' })
/** Returns a lesson from `gap` minutes after noon's lesson until 18:00. */
const startingAfter = (gap: number) =>
  lesson(localDateTimeFor(minuteOf('2026-03-02 13:00') + gap), '18:00', { id: 'after' })

describe('a sufficient break', () => {
  it.each([
    [0, 15],
    [14, 15],
    [15, 15],
    [16, 16],
    [60, 60],
  ])('with %i required minutes is %i minutes long', (required_break_minutes, minutes) => {
    expect(sufficientBreakMinutes({ required_break_minutes, max_continuous_minutes: null })).toBe(minutes)
  })
})

describe('the stretch around a one-hour lesson', () => {
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
  ])('with %i required minutes continues over a gap of %i: %s', (required, gap, goesOn) => {
    expect(spanOf(required, noon, [endingBefore(gap)])).toBe(goesOn ? 240 : 60)
    expect(spanOf(required, noon, [startingAfter(gap)])).toBe(goesOn ? 360 : 60)
  })

  it('includes every short gap on both sides and ends at the first sufficient break', () => {
    const booked = [
      lesson('2026-03-02 07:00', '08:00'),
      lesson('2026-03-02 08:15', '10:00'),
      lesson('2026-03-02 10:14', '11:46'),
      lesson('2026-03-02 13:10', '14:00'),
      lesson('2026-03-02 14:14', '15:00'),
      lesson('2026-03-02 15:15', '19:00'),
    ]
    const rule = { required_break_minutes: 0, max_continuous_minutes: null }
    const stretch = stretchAround(intervalOf(noon), timedByStart(booked), rule)
    expect(localDateTimeFor(stretch.start)).toBe('2026-03-02 08:15')
    expect(localDateTimeFor(stretch.end)).toBe('2026-03-02 15:00')
  })

  it('is the lesson itself if no other appointment is near', () => {
    expect(spanOf(0, noon, [])).toBe(60)
    expect(spanOf(0, noon, [lesson('2026-03-01 12:00', '13:00'), lesson('2026-03-03 12:00', '13:00')])).toBe(
      60,
    )
  })

  it('covers a long lesson even if a shorter one lies inside it', () => {
    const booked = [lesson('2026-03-02 09:00', '12:00'), lesson('2026-03-02 10:00', '11:00')]
    expect(spanOf(0, noon, booked)).toBe(240)
    const later = [lesson('2026-03-02 13:00', '16:00'), lesson('2026-03-02 14:00', '15:00')]
    expect(spanOf(0, noon, later)).toBe(240)
  })

  it('includes overlapping lessons and the lessons that those connect', () => {
    const overlapping = lesson('2026-03-02 11:00', '15:00')
    expect(spanOf(0, noon, [overlapping])).toBe(240)
    expect(spanOf(0, noon, [overlapping, lesson('2026-03-02 15:14', '16:00')])).toBe(300)
    expect(spanOf(0, noon, [overlapping, lesson('2026-03-02 10:00', '10:46')])).toBe(300)
  })
})

describe('a limit of 360 continuous minutes', () => {
  it.each([
    ['13:59', false],
    ['14:00', false],
    ['14:01', true],
  ])('rejects a single lesson from 08:00 to %s: %s', (end, refused) => {
    expect(tooLong({}, lesson('2026-03-02 08:00', end)) !== undefined).toBe(refused)
  })

  it.each([
    ['14:59', false],
    ['15:00', false],
    ['15:01', true],
  ])('rejects 12:00 to %s after 09:00 to 11:50: %s', (end, refused) => {
    const booked = [lesson('2026-03-02 09:00', '11:50')]
    expect(tooLong({}, lesson('2026-03-02 12:00', end), booked) !== undefined).toBe(refused)
  })

  it('is reported with the whole stretch, including its gaps', () => {
    const booked = [lesson('2026-03-02 09:00', '11:50'), officeTime('2026-03-02 13:10', '15:30')]
    expect(tooLong({}, noon, booked)).toEqual({
      code: 'continuous_minutes_exceeded',
      params: { minutes: 390, limit_minutes: 360, start_at: '2026-03-02 09:00', end_at: '2026-03-02 15:30' },
    })
  })

  it('rejects a lesson that leaves no sufficient break between two stretches', () => {
    const booked = [lesson('2026-03-02 08:00', '11:00'), lesson('2026-03-02 12:00', '15:00')]
    expect(tooLong({}, lesson('2026-03-02 11:14', '11:46'), booked)).toBeDefined()
    expect(tooLong({}, lesson('2026-03-02 11:15', '11:45'), booked)).toBeUndefined()
  })

  it('applies across midnight', () => {
    const booked = [lesson('2026-03-02 20:00', '2026-03-03 00:00')]
    expect(tooLong({}, lesson('2026-03-03 00:00', '02:00'), booked)).toBeUndefined()
    expect(tooLong({}, lesson('2026-03-03 00:00', '02:01'), booked)?.params).toEqual({
      minutes: 361,
      limit_minutes: 360,
      start_at: '2026-03-02 20:00',
      end_at: '2026-03-03 02:01',
    })
  })

  it('does not apply if max_continuous_minutes is null', () => {
    const proposal = lesson('2026-03-02 00:00', '2026-03-03 00:00')
    expect(tooLong({ max_continuous_minutes: null }, proposal)).toBeUndefined()
  })
})

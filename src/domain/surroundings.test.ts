import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agendaWith, lesson } from './agenda-builder.test-support.ts'
import { contains, type Interval, intervalOf } from './interval.ts'
import { dayOf, dayOfMinute, localDateTimeFor, minuteOf, weekStartOf } from './local-time.ts'
import { containsStretch, surroundingsOf, surroundingsOfWeek, widened } from './surroundings.ts'

const between = (start: string, end: string): Interval => ({ start: minuteOf(start), end: minuteOf(end) })

describe('the surroundings of a proposal', () => {
  it.each([
    ['2026-03-04 10:00', '2026-03-04 11:00', '2026-03-02 00:00', '2026-03-09 00:00', 'midweek'],
    [
      '2026-03-02 00:00',
      '2026-03-02 01:00',
      '2026-02-28 00:00',
      '2026-03-09 00:00',
      'at the start of the week',
    ],
    ['2026-03-03 23:59', '2026-03-04 00:59', '2026-03-01 23:59', '2026-03-09 00:00', 'on the second day'],
    [
      '2026-03-08 22:00',
      '2026-03-09 02:00',
      '2026-03-02 00:00',
      '2026-03-11 02:00',
      'at the end of the week',
    ],
  ])('from %s to %s are %s to %s, its week and two days on each side: %s', (start, end, from, to) => {
    expect(surroundingsOf(between(start, end))).toEqual(between(from, to))
  })

  it('grow by a week on each side when widened', () => {
    const surroundings = between('2026-03-02 00:00', '2026-03-09 00:00')
    expect(widened(surroundings)).toEqual(between('2026-02-23 00:00', '2026-03-16 00:00'))
  })
})

describe('the surroundings of a week', () => {
  it('extend from two days before it to three days after it', () => {
    const surroundings = between('2026-02-28 00:00', '2026-03-12 00:00')
    expect(surroundingsOfWeek(dayOf('2026-03-02'))).toEqual(surroundings)
  })

  it('contain the surroundings of every proposal that starts in it', () => {
    const start = fc.integer({ min: minuteOf('2026-01-01 00:00'), max: minuteOf('2027-12-31 23:59') })
    const length = fc.integer({ min: 1, max: 1440 })
    fc.assert(
      fc.property(start, length, (minute, minutes) => {
        const week = surroundingsOfWeek(weekStartOf(dayOfMinute(minute)))
        expect(contains(week, surroundingsOf({ start: minute, end: minute + minutes }))).toBe(true)
      }),
    )
  })
})

describe('the loaded range contains the whole stretch', () => {
  const proposal = lesson('2026-03-04 10:00', '11:00')
  const surroundings = between('2026-03-02 00:00', '2026-03-09 00:00')
  const holds = (from: string, to: string, rules = {}) => {
    const agenda = agendaWith({
      rules: { max_continuous_minutes: 360, ...rules },
      booked: [
        lesson(from, '2026-03-04 10:00'),
        lesson('2026-03-04 11:00', '2026-03-05 11:00'),
        lesson('2026-03-05 11:00', to),
      ],
    })
    return containsStretch(agenda, proposal, surroundings)
  }

  it.each([
    [15, 15, 0, true, 'exactly a sufficient break before the edge'],
    [14, 15, 0, false, 'a minute less at the start'],
    [15, 14, 0, false, 'a minute less at the end'],
    [30, 30, 30, true, 'exactly the required break before the edge'],
    [29, 30, 30, false, 'a minute less than required'],
  ])(
    'if it starts %i and ends %i minutes inside the range (%i required): %s, %s',
    (before, after, required, whole) => {
      const from = localDateTimeFor(surroundings.start + before)
      const to = localDateTimeFor(surroundings.end - after)
      expect(holds(from, to, { required_break_minutes: required })).toBe(whole)
    },
  )

  it('always if max_continuous_minutes is null', () => {
    const from = localDateTimeFor(surroundings.start)
    expect(holds(from, '2026-03-05 12:00')).toBe(false)
    expect(holds(from, '2026-03-05 12:00', { max_continuous_minutes: null })).toBe(true)
  })

  it('under pending rules, too', () => {
    const booked = [lesson('2026-03-02 00:10', '2026-03-04 10:00')]
    const rules = { max_continuous_minutes: null }
    const assumed = { ...agendaWith({ rules }).instructor, max_continuous_minutes: 360 }
    const agenda = agendaWith({ rules, booked })
    expect(containsStretch(agenda, proposal, surroundings)).toBe(true)
    expect(containsStretch({ ...agenda, assumed }, proposal, surroundings)).toBe(false)
  })

  it('if a break separates it from the lessons at the edge', () => {
    const booked = [lesson('2026-03-02 00:00', '10:00'), lesson('2026-03-04 11:10', '12:00')]
    const agenda = agendaWith({ rules: { max_continuous_minutes: 360 }, booked })
    expect(containsStretch(agenda, proposal, surroundings)).toBe(true)
    expect(containsStretch(agenda, proposal, { ...surroundings, ...intervalOf(proposal) })).toBe(false)
  })
})

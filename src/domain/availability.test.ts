import { describe, expect, it } from 'vitest'
import { timed } from './agenda.ts'
import { lesson, openOn } from './agenda-builder.test-support.ts'
import { availabilityRefusalFor, openTimesOn } from './availability.ts'

const MONDAY = 1
const TUESDAY = 2
const SUNDAY = 7

describe('an instructor without availability windows', () => {
  it('is available at any time of any day', () => {
    expect(availabilityRefusalFor(timed(lesson('2026-03-08 02:00', '2026-03-09 02:00')), [])).toBeUndefined()
  })
})

describe('an instructor available on Mondays from 08:00 to 12:00', () => {
  const windows = [openOn(MONDAY, '08:00', '12:00')]

  it.each([
    ['2026-03-02 08:00', '12:00', 'fills the window'],
    ['2026-03-02 08:01', '11:59', 'lies inside the window'],
    ['2026-03-02 08:00', '08:01', 'is the first minute of the window'],
    ['2026-03-02 11:59', '12:00', 'is the last minute of the window'],
    ['2026-03-09 08:00', '12:00', 'fills the window in another week'],
  ])('can give a lesson from %s to %s, which %s', (start, end) => {
    expect(availabilityRefusalFor(timed(lesson(start, end)), windows)).toBeUndefined()
  })

  it.each([
    ['07:59', '09:00', 'starts a minute early'],
    ['11:00', '12:01', 'ends a minute late'],
    ['07:00', '13:00', 'contains the window'],
    ['12:00', '13:00', 'starts when the window closes'],
    ['07:00', '08:00', 'ends when the window opens'],
  ])('cannot give a lesson from %s to %s, which %s', (start, end) => {
    expect(availabilityRefusalFor(timed(lesson(`2026-03-02 ${start}`, end)), windows)).toEqual({
      code: 'outside_availability',
      params: { date: '2026-03-02', windows },
    })
  })

  it.each(['2026-03-01', '2026-03-03', '2026-03-08'])(
    'is not available on %s, which is not a Monday',
    (date) => {
      expect(availabilityRefusalFor(timed(lesson(`${date} 09:00`, '10:00')), windows)).toEqual({
        code: 'outside_availability',
        params: { date, windows: [] },
      })
    },
  )
})

describe('hours of every second week from Wednesday, 2026-03-04', () => {
  const windows = [{ ...openOn(MONDAY, '08:00', '12:00'), valid_from: '2026-03-04', every_weeks: 2 }]

  it.each([
    ['2026-03-02', false, 'lies in the first week, before the first day'],
    ['2026-03-09', false, 'lies in the week between'],
    ['2026-03-16', true, 'lies in the third week'],
    ['2026-03-23', false, 'lies in the fourth week'],
    ['2027-01-04', true, 'lies 44 weeks later, in another year'],
  ])('hold on %s: %s, because it %s', (date, isOpen) => {
    const proposed = timed(lesson(`${date} 09:00`, '10:00'))
    expect(availabilityRefusalFor(proposed, windows) === undefined).toBe(isOpen)
  })
})

describe('several windows', () => {
  it.each([
    ['touch', openOn(MONDAY, '08:00', '12:00'), openOn(MONDAY, '12:00', '17:00'), true],
    ['overlap', openOn(MONDAY, '08:00', '12:30'), openOn(MONDAY, '12:00', '17:00'), true],
    ['lie inside each other', openOn(MONDAY, '08:00', '17:00'), openOn(MONDAY, '09:00', '12:00'), true],
    [
      'leave a minute between them',
      openOn(MONDAY, '08:00', '12:00'),
      openOn(MONDAY, '12:01', '17:00'),
      false,
    ],
    ['lie on different days', openOn(MONDAY, '08:00', '12:00'), openOn(TUESDAY, '12:00', '17:00'), false],
  ])('that %s allow a lesson from 11:00 to 13:00: $3', (_, one, other, open) => {
    const proposed = timed(lesson('2026-03-02 11:00', '13:00'))
    expect(availabilityRefusalFor(proposed, [one, other]) === undefined).toBe(open)
    expect(availabilityRefusalFor(proposed, [other, one]) === undefined).toBe(open)
  })

  it('are reported unmerged, ordered by start and then end', () => {
    const [early, long, short, late] = [
      openOn(MONDAY, '08:00', '10:00'),
      openOn(MONDAY, '11:00', '15:00'),
      openOn(MONDAY, '11:00', '12:00'),
      openOn(MONDAY, '15:00', '16:00'),
    ]
    const listed = [late, long, openOn(TUESDAY, '07:00', '09:00'), short, early]
    expect(availabilityRefusalFor(timed(lesson('2026-03-02 06:00', '07:00')), listed)?.params).toEqual({
      date: '2026-03-02',
      windows: [early, short, long, late],
    })
  })
})

describe('a lesson until midnight', () => {
  const proposed = timed(lesson('2026-03-02 22:00', '2026-03-03 00:00'))

  it('fits a window that ends at 24:00 and needs none on the next day', () => {
    expect(availabilityRefusalFor(proposed, [openOn(MONDAY, '20:00', '24:00')])).toBeUndefined()
  })

  it('does not fit a window that ends at 23:59', () => {
    expect(availabilityRefusalFor(proposed, [openOn(MONDAY, '20:00', '23:59')])).toBeDefined()
  })
})

describe('a lesson across midnight', () => {
  const proposed = timed(lesson('2026-03-02 23:00', '2026-03-03 01:00'))
  const evening = openOn(MONDAY, '20:00', '24:00')

  it('fits windows on both days', () => {
    expect(availabilityRefusalFor(proposed, [openOn(TUESDAY, '00:00', '06:00'), evening])).toBeUndefined()
  })

  it.each([
    ['the second day has no window', [evening], '2026-03-03'],
    ['the first day has no window', [openOn(TUESDAY, '00:00', '06:00')], '2026-03-02'],
    [
      'the first window closes a minute early',
      [openOn(MONDAY, '20:00', '23:59'), openOn(TUESDAY, '00:00', '06:00')],
      '2026-03-02',
    ],
    ['the second window opens a minute late', [evening, openOn(TUESDAY, '00:01', '06:00')], '2026-03-03'],
    ['the second window closes a minute early', [evening, openOn(TUESDAY, '00:00', '00:59')], '2026-03-03'],
    ['neither day has a window', [openOn(SUNDAY, '00:00', '24:00')], '2026-03-02'],
  ])('is rejected when %s', (_, windows, date) => {
    expect(availabilityRefusalFor(proposed, windows)?.params).toMatchObject({ date })
  })

  it('from Sunday to Monday fits one window on Sunday and one on Monday', () => {
    const night = timed(lesson('2026-03-08 23:00', '2026-03-09 01:00'))
    const windows = [openOn(MONDAY, '00:00', '02:00'), openOn(SUNDAY, '22:00', '24:00')]
    expect(availabilityRefusalFor(night, windows)).toBeUndefined()
  })

  it('that lasts 24 hours needs windows for both parts', () => {
    const long = timed(lesson('2026-03-02 12:00', '2026-03-03 12:00'))
    expect(
      availabilityRefusalFor(long, [openOn(MONDAY, '12:00', '24:00'), openOn(TUESDAY, '00:00', '12:00')]),
    ).toBeUndefined()
    expect(
      availabilityRefusalFor(long, [openOn(MONDAY, '12:00', '24:00'), openOn(TUESDAY, '00:00', '11:59')]),
    ).toBeDefined()
  })
})

describe('the open times of a weekday', () => {
  it('are in minutes since midnight, merged where windows touch, in any input order', () => {
    const windows = [
      openOn(MONDAY, '20:00', '24:00'),
      openOn(MONDAY, '08:00', '12:00'),
      openOn(TUESDAY, '00:00', '24:00'),
      openOn(MONDAY, '12:00', '13:00'),
    ]
    const open = [
      { start: 480, end: 780 },
      { start: 1200, end: 1440 },
    ]
    expect(openTimesOn(MONDAY, windows)).toEqual(open)
    expect(openTimesOn(MONDAY, windows.toReversed())).toEqual(open)
    expect(openTimesOn(SUNDAY, windows)).toEqual([])
  })
})

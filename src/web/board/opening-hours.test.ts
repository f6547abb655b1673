import { describe, expect, it } from 'vitest'
import { appointment, instructor } from '../../contract/examples.ts'
import { initialScroll, openingHours, type VisibleBoard } from './opening-hours.ts'

const DAY = '2027-03-01'
const NEXT_DAY = '2027-03-02'
const LATER = '2027-03-05 09:00'

type Span = { readonly start: string; readonly end: string }

/** Returns the board of one instructor. */
function visible(
  lessons: readonly [from: string, to: string][],
  windows: readonly Span[] = [],
): VisibleBoard {
  return {
    dates: [DAY],
    instructors: [
      { ...instructor, availability_windows: windows.map((window) => ({ weekday: 1, ...window })) },
    ],
    lessons: lessons.map(([start_at, end_at]) => ({
      ...appointment,
      instructor_id: instructor.id,
      start_at,
      end_at,
    })),
  }
}

describe('openingHours', () => {
  it.each<[name: string, shown: VisibleBoard, from: number, to: number]>([
    ['an empty board', visible([]), 8, 18],
    ['an availability window', visible([], [{ start: '06:30', end: '20:15' }]), 6, 21],
    ['a lesson within the default hours', visible([[`${DAY} 08:00`, `${DAY} 18:00`]]), 8, 18],
    ['an early lesson', visible([[`${DAY} 03:15`, `${DAY} 04:00`]]), 3, 18],
    ['a late lesson', visible([[`${DAY} 18:00`, `${DAY} 18:15`]]), 8, 19],
    ['a lesson until midnight', visible([[`${DAY} 22:30`, `${NEXT_DAY} 00:00`]]), 8, 24],
    ['a lesson past midnight', visible([[`${DAY} 23:00`, `${NEXT_DAY} 01:00`]]), 8, 24],
    ['a lesson from the night before', visible([['2027-02-28 23:00', `${DAY} 01:00`]]), 0, 18],
    ['a lesson that ended at midnight', visible([['2027-02-28 23:00', `${DAY} 00:00`]]), 8, 18],
    ['a lesson on another day', visible([[`${NEXT_DAY} 03:15`, `${NEXT_DAY} 04:00`]]), 8, 18],
  ])('returns the range for %s', (_name, shown, from, to) => {
    expect(openingHours(shown)).toEqual({ start: from * 60, end: to * 60 })
  })

  it('ignores lessons of instructors that are not shown', () => {
    const shown = visible([[`${DAY} 03:15`, `${DAY} 04:00`]])
    expect(openingHours({ ...shown, instructors: [] })).toEqual({ start: 8 * 60, end: 18 * 60 })
  })
})

describe('initialScroll', () => {
  const night = [{ start: '00:00', end: '24:00' }]
  it.each<[name: string, shown: VisibleBoard, now: string, hour: number]>([
    ['7:00 even if an instructor works at night', visible([], night), LATER, 7],
    ['7:00 even if the first lesson is later', visible([[`${DAY} 09:15`, `${DAY} 10:00`]]), LATER, 7],
    ['3:00 for a first lesson at 03:15', visible([[`${DAY} 03:15`, `${DAY} 04:00`]], night), LATER, 3],
    [
      '12:00 on the current day at 14:59',
      visible([[`${DAY} 03:15`, `${DAY} 04:00`]], night),
      `${DAY} 14:59`,
      12,
    ],
    ['0:00 on the current day at 01:00', visible([], night), `${DAY} 01:00`, 0],
  ])('returns %s', (_name, shown, now, hour) => {
    expect(initialScroll(shown, now)).toBe(hour * 60)
  })
})

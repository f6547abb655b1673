import { describe, expect, it } from 'vitest'
import { appointment, instructor } from '../../contract/examples.ts'
import { firstSight, openingHours, type Sight } from './calendar-options.ts'

const DAY = '2027-03-01'
const NEXT_DAY = '2027-03-02'
const LATER = '2027-03-05 09:00'

type Span = { readonly start: string; readonly end: string }

/** The board of one instructor. */
function sight(lessons: readonly [from: string, to: string][], windows: readonly Span[] = []): Sight {
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
  it.each<[name: string, shown: Sight, from: string, to: string]>([
    ['nothing', sight([]), '8:00', '18:00'],
    ['a window', sight([], [{ start: '06:30', end: '20:15' }]), '6:00', '21:00'],
    ['a lesson within', sight([[`${DAY} 08:00`, `${DAY} 18:00`]]), '8:00', '18:00'],
    ['an early lesson', sight([[`${DAY} 03:15`, `${DAY} 04:00`]]), '3:00', '18:00'],
    ['a late lesson', sight([[`${DAY} 18:00`, `${DAY} 18:15`]]), '8:00', '19:00'],
    ['a lesson until midnight', sight([[`${DAY} 22:30`, `${NEXT_DAY} 00:00`]]), '8:00', '24:00'],
    ['a lesson past midnight', sight([[`${DAY} 23:00`, `${NEXT_DAY} 01:00`]]), '8:00', '24:00'],
    ['a lesson of the night before', sight([['2027-02-28 23:00', `${DAY} 01:00`]]), '0:00', '18:00'],
    ['a lesson that ended at midnight', sight([['2027-02-28 23:00', `${DAY} 00:00`]]), '8:00', '18:00'],
    ['a lesson of another day', sight([[`${NEXT_DAY} 03:15`, `${NEXT_DAY} 04:00`]]), '8:00', '18:00'],
  ])('%s', (_name, shown, from, to) => {
    expect(openingHours(shown)).toEqual({ slotMinTime: from, slotMaxTime: to })
  })

  it('looks at nobody who is not shown', () => {
    const shown = sight([[`${DAY} 03:15`, `${DAY} 04:00`]])
    expect(openingHours({ ...shown, instructors: [] })).toEqual({ slotMinTime: '8:00', slotMaxTime: '18:00' })
  })
})

describe('firstSight', () => {
  const night = [{ start: '00:00', end: '24:00' }]
  it.each<[name: string, shown: Sight, now: string, time: string]>([
    ['the morning, though somebody works at night', sight([], night), LATER, '7:00'],
    [
      'the morning, though the first lesson is later',
      sight([[`${DAY} 09:15`, `${DAY} 10:00`]]),
      LATER,
      '7:00',
    ],
    ['the first lesson', sight([[`${DAY} 03:15`, `${DAY} 04:00`]], night), LATER, '3:00'],
    ['today: a little before now', sight([[`${DAY} 03:15`, `${DAY} 04:00`]], night), `${DAY} 14:59`, '12:00'],
    ['today, at night', sight([], night), `${DAY} 01:00`, '0:00'],
  ])('%s', (_name, shown, now, time) => {
    expect(firstSight(shown, now)).toBe(time)
  })
})

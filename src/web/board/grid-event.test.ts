import { describe, expect, it } from 'vitest'
import { type GridEvent, placesOf } from './grid-event.ts'

const DAY = '2032-03-01'
const NEXT_DAY = '2032-03-02'
const HOURS = { start: 8 * 60, end: 18 * 60 }
const DAY_VIEW = ['anna', 'ben'].map((resource) => ({ resource, date: DAY }))
const THREE = ['anna', 'ben', 'carla'].map((resource) => ({ resource, date: DAY }))
const WEEK_VIEW = [DAY, NEXT_DAY].map((date) => ({ resource: 'anna', date }))

/** Returns a lesson of a resource; times without a date are of the day. */
function lesson(id: string, from: string, to: string, resources: readonly string[] = ['anna']): GridEvent {
  const at = (time: string) => (time.includes(' ') ? time : `${DAY} ${time}`)
  const text = { time: '', student: '' }
  return {
    id,
    resources,
    start_at: at(from),
    end_at: at(to),
    className: '',
    isMovable: true,
    content: { kind: 'slot', text },
  }
}

/** Returns the boxes as "key column start–end lane/lanes". */
function boxes(events: readonly GridEvent[], columns = DAY_VIEW) {
  return placesOf(events, columns, HOURS).map(
    ({ key, column, start, end, lane, lanes }) =>
      `${key} ${column} ${start / 60}–${end / 60} ${lane}/${lanes}`,
  )
}

describe('placesOf', () => {
  it('puts events in the columns of their resources, by column and time', () => {
    const events = [
      lesson('later', '10:00', '11:00'),
      lesson('beside', '08:00', '09:00', ['ben']),
      lesson('first', '09:00', '10:00'),
      lesson('elsewhere', '09:00', '10:00', ['carla']),
    ]
    expect(boxes(events)).toEqual(['first 0 9–10 0/1', 'later 0 10–11 0/1', 'beside 1 8–9 0/1'])
  })

  it('shows an event of two resources twice, with different keys', () => {
    expect(boxes([lesson('both', '09:00', '10:00', ['anna', 'ben'])])).toEqual([
      'both 0 9–10 0/1',
      'both 1 1 9–10 0/1',
    ])
  })

  it('gives equal times of an absence and of closed hours different keys', () => {
    const closed = lesson('closed', '09:00', '10:00')
    expect(boxes([closed, closed])).toEqual(['closed 0 9–10 0/2', 'closed 1 0 9–10 1/2'])
  })

  it('keeps the key of a box that moves to another column', () => {
    expect(boxes([lesson('both', '09:00', '10:00', ['anna', 'carla'])], THREE)).toEqual([
      'both 0 9–10 0/1',
      'both 1 2 9–10 0/1',
    ])
  })

  it('cuts events at the hours and at midnight', () => {
    const events = [
      lesson('early', '07:00', '08:30'),
      lesson('night', '06:00', '08:00'),
      lesson('over', '17:00', `${NEXT_DAY} 09:00`),
    ]
    expect(boxes(events, WEEK_VIEW)).toEqual(['early 0 8–8.5 0/1', 'over 0 17–18 0/1', 'over 1 1 8–9 0/1'])
  })

  it('shares the width among events that overlap, also by way of another', () => {
    const events = [
      lesson('long', '09:00', '12:00'),
      lesson('one', '09:00', '10:00'),
      lesson('two', '10:00', '11:00'),
      lesson('three', '10:30', '12:30'),
      lesson('touches', '12:30', '13:00'),
    ]
    expect(boxes(events)).toEqual([
      'long 0 9–12 0/3',
      'one 0 9–10 1/3',
      'two 0 10–11 1/3',
      'three 0 10.5–12.5 2/3',
      'touches 0 12.5–13 0/1',
    ])
  })

  it('gives a background the full width', () => {
    const closed = { ...lesson('closed', '09:00', '12:00'), content: { kind: 'background' } as const }
    expect(boxes([closed, lesson('one', '09:00', '10:00')])).toEqual(['closed 0 9–12 0/1', 'one 0 9–10 0/1'])
  })
})

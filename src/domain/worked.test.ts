import { describe, expect, it } from 'vitest'
import { hasDoubtfulLength, isDoubtful, type WorkedLesson, workedMinutesOf } from './worked.ts'

const lesson = (fields: Partial<WorkedLesson> = {}): WorkedLesson => ({
  status: 'completed',
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  actual_start_at: null,
  actual_end_at: null,
  ...fields,
})
const actual = { actual_start_at: '2026-05-04 08:05', actual_end_at: '2026-05-04 09:47' }

describe('the worked minutes', () => {
  it.each([
    ['0 without lessons', [], 0],
    ['the planned ones if no actual times are known', [lesson()], 90],
    ['the actual ones if they are known', [lesson(actual)], 102],
    ['the sum of planned and actual ones', [lesson(), lesson(actual)], 192],
    ['0 for planned, missed and cancelled lessons', ['planned', 'no_show', 'cancelled'].map(of), 0],
    [
      'counted across midnight',
      [lesson({ actual_start_at: '2026-05-04 23:50', actual_end_at: '2026-05-05 00:20' })],
      30,
    ],
    ['elapsed ones over a clock change in spring', [lesson(across('2026-03-29'))], 180],
    ['elapsed ones over a clock change in autumn', [lesson(across('2026-10-25'))], 300],
  ])('are %s', (_, lessons, minutes) => {
    expect(workedMinutesOf(lessons, 'Europe/Berlin')).toBe(minutes)
  })
})

function across(date: string): Partial<WorkedLesson> {
  return { start_at: `${date} 00:30`, end_at: `${date} 04:30` }
}

function of(status: string): WorkedLesson {
  return lesson({ ...actual, status })
}

it.each([
  ['07:00', '08:30', false],
  ['06:59', '08:30', true],
  ['09:00', '10:30', false],
  ['09:01', '10:30', true],
  ['08:00', '10:00', false],
  ['08:00', '10:01', true],
  ['08:30', '09:30', false],
  ['08:31', '09:30', true],
  ['08:30', '08:31', true],
])('a lesson planned for 08:00–09:30 that took place %s–%s is doubtful: %s', (start, end, isAsked) => {
  const times = { actual_start_at: `2026-05-04 ${start}`, actual_end_at: `2026-05-04 ${end}` }
  expect(isDoubtful(lesson(times))).toBe(isAsked)
})

it.each([
  ['15', true],
  ['16', false],
  ['32', false],
  ['33', true],
])('a lesson of 24 minutes that took %s has a doubtful length: %s', (minutes, isAsked) => {
  const short = { end_at: '2026-05-04 08:24', actual_start_at: '2026-05-04 08:00' }
  const took = lesson({ ...short, actual_end_at: `2026-05-04 08:${minutes}` })
  expect(hasDoubtfulLength(took)).toBe(isAsked)
})

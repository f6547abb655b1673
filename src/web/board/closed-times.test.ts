import { expect, it } from 'vitest'
import type { Instructor } from '../../contract/instructor.ts'
import { firstWorkingDay } from './closed-times.ts'

const SUNDAY = '2032-03-07'
const WEEKDAYS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))

function anInstructor(fields: Partial<Instructor>): Instructor {
  return {
    active: true,
    availability_windows: WEEKDAYS,
    vacations: [],
    absences: [],
    ...fields,
  } as unknown as Instructor
}

const vacation = { start_date: '2032-03-08', end_date: '2032-03-09', note: null }

it.each([
  ['the next Monday', [anInstructor({})], SUNDAY, '2032-03-08'],
  ['today', [anInstructor({})], '2032-03-05', '2032-03-05'],
  ['the day after a vacation', [anInstructor({ vacations: [vacation] })], SUNDAY, '2032-03-10'],
  [
    'the first day of anybody',
    [anInstructor({ vacations: [vacation] }), anInstructor({})],
    SUNDAY,
    '2032-03-08',
  ],
  [
    'a Sunday of somebody without working hours',
    [anInstructor({ availability_windows: [] })],
    SUNDAY,
    SUNDAY,
  ],
  ['no day of an inactive instructor', [anInstructor({ active: false })], SUNDAY, SUNDAY],
  ['today in a school without instructors', [], SUNDAY, SUNDAY],
] as const)('the board opens %s', (_, instructors, today, opening) => {
  expect(firstWorkingDay(today, instructors)).toBe(opening)
})

import { expect, it } from 'vitest'
import { remindersOfDay, withoutRepeated } from './day-reminders.ts'

const timezone = 'Europe/Berlin'

function remindersFor(
  times: readonly string[],
  reminder_hours = [24, 2],
  quiet: { from: string; to: string } | null = null,
) {
  const lessons = times.map((time, index) => {
    const [start, end] = time.split('-')
    const day = '2026-06-02'
    return {
      appointment_id: `${index + 1}`,
      start_at: `${day} ${start}`,
      end_at: `${day} ${end}`,
      instructor_id: 'i',
    }
  })
  const all = remindersOfDay(lessons, { settings: { reminder_hours, quiet }, timezone })
  return withoutRepeated(all, []).map(
    ({ send_at, lessons: named }) =>
      `${send_at.toISOString().slice(8, 16)} ${named.map((one) => one.appointment_id).join()}`,
  )
}

it.each([
  ['one lesson', ['10:00-11:00'], ['01T08:00 1', '02T06:00 1']],
  ['an hour between two', ['10:00-11:00', '12:00-13:00'], ['01T08:00 1,2', '02T06:00 1,2']],
  ['a minute more', ['10:00-11:00', '12:01-13:00'], ['01T08:00 1,2', '02T06:00 1,2', '02T08:01 2']],
  [
    'two pauses',
    ['08:00-09:00', '11:00-12:00', '12:30-13:30', '15:00-16:00'],
    ['01T06:00 1,2,3,4', '02T04:00 1,2,3,4', '02T07:00 2,3', '02T11:00 4'],
  ],
  [
    'a short lesson within a long one',
    ['08:00-12:00', '09:00-10:00', '12:45-13:30'],
    ['01T06:00 1,2,3', '02T04:00 1,2,3'],
  ],
])('a day with %s has one reminder per hours, and one after each pause', (_, times, reminders) => {
  expect(remindersFor(times)).toEqual(reminders)
})

it('a later lesson has none of its own at the time of one that names it', () => {
  const quiet = { from: '22:00', to: '09:00' }
  expect(remindersFor(['10:00-11:00', '12:30-13:30'], [5], quiet)).toEqual(['02T07:00 1,2'])
  expect(remindersFor(['10:00-11:00', '14:01-15:00'], [5], quiet)).toEqual(['02T07:00 1,2', '02T07:01 2'])
})

it('a school without reminder hours has no reminders', () => {
  expect(remindersFor(['10:00-11:00', '14:00-15:00'], [])).toEqual([])
})

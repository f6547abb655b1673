import { expect, it } from 'vitest'
import { hoursOnceAccepted } from './requested-hours.ts'

const on = (weekday: number, start: string, end: string) => ({ weekday, start, end })
const MONDAY = on(1, '08:00', '17:00')
const TUESDAY = on(2, '08:00', '17:00')
const SHORT_MONDAY = on(1, '08:00', '12:00')
const LATE_TUESDAY = on(2, '12:00', '20:00')
const FRIDAY = on(5, '08:00', '12:00')

it.each([
  [
    'nothing has changed since',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
  ],
  [
    'the office changed another day',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [MONDAY, LATE_TUESDAY],
    [SHORT_MONDAY, LATE_TUESDAY],
  ],
  [
    'the office changed the same day',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [FRIDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY, FRIDAY],
  ],
  ['a day was asked off', [MONDAY, TUESDAY], [MONDAY], [MONDAY, TUESDAY, FRIDAY], [MONDAY, FRIDAY]],
  [
    'the day is told in two parts',
    [MONDAY],
    [on(1, '08:00', '12:00'), on(1, '12:00', '17:00'), FRIDAY],
    [LATE_TUESDAY],
    [LATE_TUESDAY, FRIDAY],
  ],
  ['all times were asked for', [MONDAY], [], [MONDAY, TUESDAY], []],
  ['the instructor was unrestricted', [], [MONDAY], [TUESDAY], [MONDAY]],
  ['the base is not known', null, [SHORT_MONDAY], [MONDAY, TUESDAY], [SHORT_MONDAY]],
])(
  'accepting changes only the weekdays that were asked for where %s',
  (_, windows_before, availability_windows, now, expected) => {
    expect(hoursOnceAccepted(now, { windows_before, availability_windows })).toEqual(expected)
  },
)

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
    'changes the requested day if nothing else has changed',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
  ],
  [
    'keeps another day that the office has changed',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [MONDAY, LATE_TUESDAY],
    [SHORT_MONDAY, LATE_TUESDAY],
  ],
  [
    'replaces the requested day although the office has changed it',
    [MONDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY],
    [FRIDAY, TUESDAY],
    [SHORT_MONDAY, TUESDAY, FRIDAY],
  ],
  [
    'removes a day that was requested off',
    [MONDAY, TUESDAY],
    [MONDAY],
    [MONDAY, TUESDAY, FRIDAY],
    [MONDAY, FRIDAY],
  ],
  [
    'ignores a day that is only split into two windows',
    [MONDAY],
    [on(1, '08:00', '12:00'), on(1, '12:00', '17:00'), FRIDAY],
    [LATE_TUESDAY],
    [LATE_TUESDAY, FRIDAY],
  ],
  ['removes all windows if unrestricted hours were requested', [MONDAY], [], [MONDAY, TUESDAY], []],
  ['replaces all windows if the instructor was unrestricted', [], [MONDAY], [TUESDAY], [MONDAY]],
  [
    'replaces all windows if the request and the office have each removed one of two days',
    [MONDAY, TUESDAY],
    [TUESDAY],
    [MONDAY],
    [TUESDAY],
  ],
  [
    'replaces all windows if the previous hours are unknown',
    null,
    [SHORT_MONDAY],
    [MONDAY, TUESDAY],
    [SHORT_MONDAY],
  ],
])('accepting requested hours %s', (_, windows_before, availability_windows, now, expected) => {
  expect(hoursOnceAccepted(now, { windows_before, availability_windows })).toEqual(expected)
})

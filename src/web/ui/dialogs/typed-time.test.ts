import { expect, it } from 'vitest'
import { completeTime, typedTime } from './typed-time.ts'

it.each([
  ['9', '09:00'],
  ['09', '09:00'],
  ['0', '00:00'],
  ['23', '23:00'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['1415', '14:15'],
  ['9.30', '09:30'],
  ['9:30', '09:30'],
  ['9,30', '09:30'],
  ['9h30', '09:30'],
  ['9:3', '09:30'],
  ['9:05', '09:05'],
  ['9:', '09:00'],
  [' 14:15 ', '14:15'],
  ['9 Uhr', '09:00'],
  ['9.30 Uhr', '09:30'],
])('typedTime reads %s as %s', (text, time) => {
  expect(typedTime(text)).toBe(time)
})

it.each(['', '24', '24:00', '9:60', '9:7', '960', '12345', 'nine', '-9', '9:30:00'])(
  'typedTime rejects "%s"',
  (text) => {
    expect(typedTime(text)).toBeNull()
  },
)

it.each([
  ['9', null],
  ['93', null],
  ['930', '09:30'],
  ['250', '02:50'],
  ['14', null],
  ['141', null],
  ['1415', '14:15'],
  ['9:3', null],
  ['9:30', '09:30'],
  ['1:4', null],
  ['2460', null],
])('completeTime reads %s as %s', (text, time) => {
  expect(completeTime(text)).toBe(time)
})

import { expect, it } from 'vitest'
import { certainNumber, wholeNumberOf } from './certain-phone.ts'

it.each([
  ['0151 12345678', 'DE', '+4915112345678'],
  ['030/555 01 45', 'DE', '+49305550145'],
  ['+49 (0)151 12345678', 'DE', '+4915112345678'],
  ['0049 151-123.456.78', 'DE', '+4915112345678'],
  ['+43 664 1234567', 'DE', '+436641234567'],
  ['+90 532 123 45 67', 'DE', '+905321234567'],
  ['0664 1234567', 'AT', '+436641234567'],
  ['079 123 45 67', 'CH', '+41791234567'],
  ['07400 123456', 'GB', '+447400123456'],
  ['06 12345678', 'NL', '+31612345678'],
  ['06 12 34 56 78', 'FR', '+33612345678'],
  ['501 234 567', 'PL', '+48501234567'],
])('%s in %s is certainly %s', (phone, country, number) => {
  expect(certainNumber(phone, country)).toBe(number)
})

it.each([
  ['15112345678', 'DE', 'lost its zero'],
  ['4915112345678', 'DE', 'lost its plus'],
  ['+1 511 234 5678', 'DE', 'is none of its country'],
  ['+15112345678', 'DE', 'is none of its country'],
  ['030 1', 'DE', 'is too short'],
  ['0171 1234567 / 030 123456', 'DE', 'is two numbers'],
  ['030 123456 App. 12', 'DE', 'has an extension'],
  ['112', 'DE', 'is an emergency number'],
  ['0501 234 567', 'PL', 'has a trunk prefix that the country does not have'],
  ['0151 12345678', 'XX', 'is of an unknown country'],
  ['', 'DE', 'is empty'],
])('%j in %s is not certain: it %s', (phone, country) => {
  expect(certainNumber(phone, country)).toBeUndefined()
})

it.each([
  ['15112345678', 'DE', '015112345678'],
  ['151 12345678', 'DE', '0151 12345678'],
  ['15112345678,0', 'DE', '015112345678'],
  ['15112345678.00', 'DE', '015112345678'],
  ['305550145', 'DE', '0305550145'],
  ['4915112345678', 'DE', '+4915112345678'],
  ['49 151 12345678', 'DE', '+49 151 12345678'],
  ['6641234567', 'AT', '06641234567'],
  ['612345678', 'FR', '0612345678'],
  ['48501234567', 'PL', '+48501234567'],
])('%s in %s has been %s', (phone, country, whole) => {
  expect(wholeNumberOf(phone, country)).toBe(whole)
})

it.each([
  ['015112345678', 'DE', 'is whole'],
  ['+4915112345678', 'DE', 'is whole'],
  ['501234567', 'PL', 'is whole: its country has no trunk prefix'],
  ['5550145', 'DE', 'may be without an area code'],
  ['12345678901234567', 'DE', 'is none with a 0 either'],
  ['1,51123E+10', 'DE', 'is rounded'],
  ['15112345678 Mutter', 'DE', 'has a word beside it'],
  ['15112345678', 'XX', 'is of an unknown country'],
  ['', 'DE', 'is empty'],
])('%j in %s lacks nothing that is known: it %s', (phone, country) => {
  expect(wholeNumberOf(phone, country)).toBeUndefined()
})

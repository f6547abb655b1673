import { expect, it } from 'vitest'
import { pastedEmail, pastedPhone } from './pasted.ts'

it.each([
  ['max@x.de', 'max@x.de'],
  ['Max Müller <max@x.de>', 'max@x.de'],
  ['"Müller, Max" <max@x.de>;', 'max@x.de'],
  ['<max@x.de>', 'max@x.de'],
  ['mailto:max@x.de?subject=Hallo', 'max@x.de'],
  ['MAILTO:max@x.de', 'max@x.de'],
  ['max@x.de,', 'max@x.de'],
  ['max@x.de ; ', 'max@x.de'],
  ['max@x.de.', 'max@x.de'],
  ["'max@x.de'", 'max@x.de'],
  ['MAX.MÜLLER@X.DE', 'max.müller@x.de'],
  ['Max@X.de', 'Max@X.de'],
  ['\u00a0max@x.de\u00a0', 'max@x.de'],
  ['max\u200b@x.de', 'max@x.de'],
  ['max@x.de; mia@x.de', 'max@x.de; mia@x.de'],
  ['Max <max@x.de>, Mia <mia@x.de>', 'Max <max@x.de>, Mia <mia@x.de>'],
  ['max@x.de privat', 'max@x.de privat'],
  ['keine', 'keine'],
  ['', ''],
])('the e-mail address in %j is %j', (text, address) => expect(pastedEmail(text)).toBe(address))

it.each([
  ['\u202a+49 30 5550145\u202c', '+49 30 5550145'],
  ['tel:+49-30-5550145', '+49-30-5550145'],
  ['030\u00a05550145', '030 5550145'],
  ['030 5550145 (Mutter)', '030 5550145 (Mutter)'],
])('the phone number in %j is %j', (text, number) => expect(pastedPhone(text)).toBe(number))

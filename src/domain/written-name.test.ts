import { expect, it } from 'vitest'
import { namePartsOf } from './written-name.ts'

it.each([
  ['Müller, Max', 'Max', 'Müller'],
  ['Müller,Max', 'Max', 'Müller'],
  ['Max Müller', 'Max', 'Müller'],
  ['Anna Lena Müller-Kaya', 'Anna Lena', 'Müller-Kaya'],
  ['Anna von der Leyen', 'Anna', 'von der Leyen'],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['von der Leyen, Anna', 'Anna', 'von der Leyen'],
  ['MÜLLER Max', 'Max', 'MÜLLER'],
  ['Max DE LA CRUZ', 'Max', 'DE LA CRUZ'],
  ['MAX MÜLLER', 'MAX', 'MÜLLER'],
  ['J. R. Ewing', 'J. R.', 'Ewing'],
  ['Max\u00a0Müller', 'Max', 'Müller'],
  ['王 小明', '王', '小明'],
  ['Suharto', '', 'Suharto'],
  ['Suharto,', '', 'Suharto'],
  [', Max', 'Max', ''],
  ['', '', ''],
])('%j is %j, %j', (text, first_name, last_name) => {
  expect(namePartsOf(text, { isLastFirst: false })).toEqual({ first_name, last_name })
})

it.each([
  ['Müller Max', 'Max', 'Müller'],
  ['von der Leyen Anna', 'Anna', 'von der Leyen'],
  ['Müller Anna Lena', 'Anna Lena', 'Müller'],
  ['Müller, Max', 'Max', 'Müller'],
  ['Suharto', '', 'Suharto'],
])('with the last name first %j is %j, %j', (text, first_name, last_name) => {
  expect(namePartsOf(text, { isLastFirst: true })).toEqual({ first_name, last_name })
})

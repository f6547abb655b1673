import { expect, it } from 'vitest'
import { closedName, printable, wordsFromLeft } from './shaping.ts'

it.each([
  ['Eva Adler', ['Eva Adler']],
  ['محمد علي', ['علي', ' ', 'محمد']],
  ['von محمد علي, Nr. 7', ['von ', 'علي', ' ', 'محمد', ', Nr. 7']],
  ['محمد (علي)', [')علي(', ' ', 'محمد']],
  ['محمد (12)', ['(', '12', ')', ' ', 'محمد']],
  [`${closedName('محمد')} (12), 14:00`, ['محمد', ' (12), 14:00']],
  [`${closedName('Eva')} (12)`, ['Eva (12)']],
  ['Eva', ['Eva']],
  ['', []],
])('the words of %j from left to right are %j', (line, words) => {
  expect(wordsFromLeft(line)).toEqual(words)
})

it.each([
  ['Łukasz', 'Łukasz'],
  ['Eva 👩‍🚀!', 'Eva □!'],
  ['🚗🚗', '□□'],
  ['❤️', '❤'],
  ['a\u200bb', 'ab'],
])('%j is printed as %j by a font with letters and a heart', (text, printed) => {
  const hasGlyph = (codePoint: number) => codePoint < 0x200 || codePoint === 0x2764
  expect(printable(text, hasGlyph)).toBe(printed)
})

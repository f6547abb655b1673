import { expect, it } from 'vitest'
import { cleanText } from './clean-text.ts'

it.each([
  ['Lena \u202egtoV\u202c', true, 'Lena gtoV'],
  ['\u2066Lena\u2069 \u202aVogt\u202b', true, 'Lena Vogt'],
  ['Le\u0007na\u001b[31m \u007fVogt\u009b', true, 'Lena[31m Vogt'],
  ['\ufeffLena', true, 'Lena'],
  ['Lena\r\n\tVogt', true, 'Lena Vogt'],
  ['Lena\u2028Vogt', true, 'Lena Vogt'],
  ['one\r\n\ttwo\n', false, 'one\r\n\ttwo'],
  ['one\u0008\u202e two', false, 'one two'],
  ['\u202e', true, ''],
  // The letters of other scripts, and the joiners in them and in emojis, are part of names.
  ['لينا \u200fفوغت', true, 'لينا \u200fفوغت'],
  ['نمی\u200cخواهم', true, 'نمی\u200cخواهم'],
  ['👩\u200d🏫 Müller-Łoś', true, '👩\u200d🏫 Müller-Łoś'],
])('the clean form of %j (one line: %s) is %j', (text, isOneLine, clean) => {
  expect(cleanText(text, isOneLine)).toBe(clean)
})

import { describe, expect, it } from 'vitest'
import { looksLikeEmail } from './formats.ts'

describe('looksLikeEmail accepts', () => {
  it.each([
    'office@nord.example',
    'anna.vogt+fahrschule@mail.nord-sued.de',
    'o_ffice@a.b.c.solutions',
    'a@b.co',
  ])('%s', (text) => expect(looksLikeEmail(text)).toBe(true))
})

describe('looksLikeEmail rejects', () => {
  it.each([
    'swordfish',
    'P@ssw0rd',
    's@fe-1.2',
    'office@localhost',
    'office@nord.exampleswordfish',
    'office@nord.example!',
    'office @nord.example',
    'office@nord.example ',
    'a@b@nord.example',
    `${'x'.repeat(242)}@nord.example`,
  ])('%s', (text) => expect(looksLikeEmail(text)).toBe(false))
})

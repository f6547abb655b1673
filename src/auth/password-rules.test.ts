import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import { requireUncommon } from './password-rules.ts'

const known = { email: 'office.nord@nord.example', school: 'Fahrschule Groß & Söhne' }

function isRefused(password: string): Promise<boolean> {
  return requireUncommon(password, known).then(
    () => false,
    () => true,
  )
}

describe('a common password', () => {
  it('is rejected if it is one of the 3,000 most common with at least 8 characters, in any case', async () => {
    const commonest = dictionary['passwords-common'].filter((one) => one.length >= 8).slice(0, 3_000)
    expect(commonest).toHaveLength(3_000)
    for (const password of commonest) {
      expect([password, await isRefused(password)]).toEqual([password, true])
      expect([password, await isRefused(password.toUpperCase())]).toEqual([password, true])
    }
  })

  it.each([
    ['eight spaces', '        '],
    ['other whitespace', '\t\u00a0\u2003\n    '],
    ['written in full-width letters', 'ｐａｓｓｗｏｒｄ'],
    ['the e-mail address', 'Office.Nord@Nord.Example'],
    ['the local part of the e-mail address', 'OFFICE.NORD'],
    ['the local part without the dot', 'officenord'],
    ['the name of the school', 'fahrschule gross & söhne'],
    ['the name of the school in one word', 'FahrschuleGroßSöhne'],
  ])('is rejected if it is %s', async (_, password) => {
    expect(await isRefused(password)).toBe(true)
  })
})

describe('an uncommon password', () => {
  it.each([
    'correct horse battery',
    'correct horse',
    'a better horse battery',
    'staple, correct horse',
    'éééé',
    '!!%%!!%%',
    'nord.example',
    'Fahrschule Groß & Söhne sucht Lehrer',
    'office.nord 1987',
  ])('is accepted: %s', async (password) => {
    expect(await isRefused(password)).toBe(false)
  })
})

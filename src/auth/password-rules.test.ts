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

describe('a password is too common', () => {
  it('if it is one of the 3,000 commonest that are long enough, in any case', async () => {
    const commonest = dictionary['passwords-common'].filter((one) => one.length >= 8).slice(0, 3_000)
    expect(commonest).toHaveLength(3_000)
    for (const password of commonest) {
      expect([password, await isRefused(password)]).toEqual([password, true])
      expect([password, await isRefused(password.toUpperCase())]).toEqual([password, true])
    }
  })

  it.each([
    ['eight spaces', '        '],
    ['other spaces', '\t\u00a0\u2003\n    '],
    ['full-width letters', 'ｐａｓｓｗｏｒｄ'],
    ['the e-mail address', 'Office.Nord@Nord.Example'],
    ['its local part', 'OFFICE.NORD'],
    ['its local part without the dot', 'officenord'],
    ['the school', 'fahrschule gross & söhne'],
    ['the school in one word', 'FahrschuleGroßSöhne'],
  ])('if it is %s', async (_, password) => {
    expect(await isRefused(password)).toBe(true)
  })
})

describe('a password is taken', () => {
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
  ])('such as %s', async (password) => {
    expect(await isRefused(password)).toBe(false)
  })
})

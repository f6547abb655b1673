import { expect, it } from 'vitest'
import lessonTypes from '../../../packs/lesson-types.json'
import shortNames from '../../../packs/short-names.json'
import { shortTypeName } from './short-types.ts'

const rural = { code: 'RURAL', name: 'Überlandfahrt (Sonderfahrt)' }

it('names a type of the pack by the abbreviation of the trade', () => {
  expect(shortTypeName(rural, 'de-DE')).toBe('ÜL')
  expect(shortTypeName(rural, 'de')).toBe('ÜL')
})

it('gives no short name to a language without one, or to an unknown code', () => {
  expect(shortTypeName(rural, 'pl-PL')).toBeUndefined()
  expect(shortTypeName({ ...rural, code: 'OTHER' }, 'de-DE')).toBeUndefined()
})

it('keeps the short name of a renamed type only if the new name contains its letters in order', () => {
  expect(shortTypeName({ ...rural, name: 'Überland' }, 'de-DE')).toBe('ÜL')
  expect(shortTypeName({ ...rural, name: 'Landstraße' }, 'de-DE')).toBeUndefined()
})

it('has short names of at most six letters of the name in the pack, each for one type', () => {
  for (const [language, ofLanguage] of Object.entries(shortNames)) {
    const shorts = Object.entries(ofLanguage)
    expect(new Set(Object.values(ofLanguage)).size).toBe(shorts.length)
    for (const [code, short] of shorts) {
      expect(short.length, short).toBeLessThanOrEqual(6)
      const name = lessonTypes.find((one) => one.code === code)?.names[language as 'de'] ?? ''
      expect(shortTypeName({ code, name }, language), code).toBe(short)
    }
  }
})

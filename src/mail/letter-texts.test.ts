import { describe, expect, it } from 'vitest'
import { isRightToLeft, PAGE_LANGUAGES } from '../domain/page-languages.ts'
import { filledIn, inRow, LETTER_LANGUAGES, letterTexts, staffLetters } from './letter-texts.ts'

/** Returns the texts of a letter by their path. */
function flat(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, one]) => flat(one, `${path}.${key}`))
}

const gaps = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the texts of letters', () => {
  it('exist in the languages of students', () => {
    expect(LETTER_LANGUAGES.toSorted()).toEqual([...PAGE_LANGUAGES])
  })

  it.each(PAGE_LANGUAGES)('have all keys and the same placeholders as English in %s', (language) => {
    const own = letterTexts(language)
    const { staff: _, ...student } = letterTexts('en')
    const english = own.staff ? letterTexts('en') : student
    const texts = new Map(flat(own))
    expect([...texts.keys()]).toEqual(flat(english).map(([path]) => path))
    for (const [path, text] of flat(english)) {
      const here = texts.get(path) ?? ''
      const isWithoutWhen = gaps(here).length < gaps(text).length && /(subjects)/.test(path)
      expect(isWithoutWhen ? gaps(text) : gaps(here), path).toEqual(gaps(text))
      expect(here.trim(), path).not.toBe('')
    }
  })

  it.each(['ru', 'uk', 'ar', 'pa'] as const)('use the script of %s', (language) => {
    const script = { ru: 'Cyrillic', uk: 'Cyrillic', ar: 'Arabic', pa: 'Gurmukhi' }[language]
    const isOwn = new RegExp(`\\p{Script=${script}}`, 'u')
    const others = flat(letterTexts(language)).filter(([, text]) => !isOwn.test(text))
    expect(others.map(([path]) => path)).toEqual([])
  })

  it.each([
    ['de-AT', 'de'],
    ['fr-CH', 'fr'],
    ['it', 'it'],
    ['nl', 'nl'],
    ['pl', 'pl'],
    ['tr', 'en'],
    ['es', 'en'],
  ])('to users of a school with the locale %s are in %s', (locale, language) => {
    expect(staffLetters(locale).language).toBe(language)
  })

  it('keep names and times apart from Arabic around them', () => {
    expect(isRightToLeft('ar')).toBe(true)
    expect(filledIn('مع {name}', { name: 'Jonas' }, 'ar')).toBe('\u200fمع \u2068Jonas\u2069')
    expect(inRow(['a', '\u200fب'], 'ar')).toBe('\u200f\u2068a\u2069 · \u2068ب\u2069')
    expect(inRow(['a', 'b'], 'de')).toBe('a · b')
  })
})

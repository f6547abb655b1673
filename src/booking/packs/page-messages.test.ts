import { describe, expect, it } from 'vitest'
import { isRightToLeft, languagesOf, localeIn, PAGE_LANGUAGES } from '../../domain/page-languages.ts'
import { countries, lessonTypeNames, loadPack } from './packs.ts'
import { FILED_LANGUAGES, filled, KEYS, languageFor, messagesFor } from './page-messages.ts'

describe('the page texts', () => {
  it.each(PAGE_LANGUAGES)('have all keys and the same placeholders as English in %s', (language) => {
    const texts = messagesFor(language)
    expect(Object.keys(texts)).toEqual([...KEYS])
    for (const key of KEYS) {
      const gaps = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
      expect(gaps(texts[key]), key).toEqual(gaps(messagesFor('en')[key]))
      expect(texts[key].trim(), key).not.toBe('')
    }
    expect(texts.tag.split('-')[0]).toBe(language)
    expect(texts.direction).toBe(isRightToLeft(language) ? 'rtl' : 'ltr')
    expect(localeIn(language, 'DE')).toBe(`${texts.tag}-DE-u-nu-latn`)
  })

  it.each(PAGE_LANGUAGES)('use one script in %s', (language) => {
    const { tag, direction, ...texts } = messagesFor(language)
    const cyrillic = Object.values(texts).filter((text) => /\p{Script=Cyrillic}/u.test(text)).length
    expect([0, Object.keys(texts).length]).toContain(cyrillic)
  })

  it('address a person formally in Polish', () => {
    const familiar = /(?<!\p{L})(masz|możesz|chcesz|będziesz|powiedz|twoich|twoje)(?!\p{L})/iu
    expect(Object.values(messagesFor('pl')).filter((text) => familiar.test(text))).toEqual([])
  })

  it('have exactly the languages that the countries use', () => {
    expect(new Set(countries().flatMap(languagesOf))).toEqual(new Set(PAGE_LANGUAGES))
    expect(FILED_LANGUAGES).toEqual(PAGE_LANGUAGES)
  })

  it.each(countries())('are available in German, English and three more languages for %s', (country) => {
    const languages = languagesOf(country)
    expect(new Set(languages).size).toBe(5)
    expect(languages).toEqual(expect.arrayContaining(['de', 'en']))
  })

  it('have their placeholders filled in', () => {
    expect(filled('{done} of {required}', { done: 3, required: 12 })).toBe('3 of 12')
  })
})

describe('the language', () => {
  const of = (accepted: string | undefined, lang?: string) =>
    languageFor({ lang, accepted }, languagesOf('DE'), 'de')

  it.each([
    ['tr', undefined, 'tr'],
    ['fr-FR, ar-SY;q=0.8, en;q=0.9', undefined, 'en'],
    ['ru-RU,ru;q=0.9,en;q=0.8', undefined, 'ru'],
    ['fr, it', undefined, 'de'],
    ['*', undefined, 'de'],
    ['', undefined, 'de'],
    [undefined, undefined, 'de'],
    ['tr;q=0, en', undefined, 'en'],
    ['tr', 'ar', 'ar'],
    ['tr', 'fr', 'tr'],
    ['tr', '../de', 'tr'],
  ])('for Accept-Language %j and the lang parameter %j is %s', (accepted, lang, language) => {
    expect(of(accepted, lang)).toBe(language)
  })
})

it.each(countries())('every lesson type with a student in %s has a name in each page language', (country) => {
  const lessons = loadPack(country, 'en').lesson_types.filter(({ needs_student }) => needs_student)
  for (const language of languagesOf(country)) {
    const names = lessonTypeNames(country, language)
    expect(lessons.filter(({ code }) => !names.get(code)).map(({ code }) => `${language} ${code}`)).toEqual(
      [],
    )
  }
})

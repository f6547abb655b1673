/** The languages of students' pages and of their messages. */
export const PAGE_LANGUAGES = [
  'ar',
  'de',
  'en',
  'fr',
  'hr',
  'it',
  'nl',
  'pa',
  'pl',
  'pt',
  'ro',
  'ru',
  'sr',
  'tr',
  'uk',
] as const
export type StudentLanguage = (typeof PAGE_LANGUAGES)[number]

/**
 * The languages of student pages by country: German, English, the country's own, and the others most spoken there.
 *
 * DE: Turkish, Arabic, Russian; Statistisches Bundesamt, Mikrozensus, languages spoken at home.
 * AT: Turkish (183,000), Serbian (177,000), Croatian (131,000); Statistik Austria, census of 2001, the last to ask.
 * CH: its other languages French and Italian; Portuguese, 3 %; Bundesamt für Statistik, Strukturerhebung.
 * FR: Arabic and Portuguese; INED and INSEE, Trajectoires et Origines.
 * GB: Polish (612,000), Romanian (472,000), Panjabi (291,000); ONS, census of 2021, table TS024.
 * NL: Turkish and Arabic; CBS, population by country of origin.
 * PL: Ukrainian and Russian; Urząd do Spraw Cudzoziemców, residence permits by nationality.
 */
const OF_COUNTRY: Readonly<Record<string, readonly StudentLanguage[]>> = {
  DE: ['de', 'en', 'tr', 'ar', 'ru'],
  AT: ['de', 'en', 'tr', 'sr', 'hr'],
  CH: ['de', 'fr', 'it', 'en', 'pt'],
  FR: ['fr', 'en', 'de', 'ar', 'pt'],
  GB: ['en', 'de', 'pl', 'ro', 'pa'],
  NL: ['nl', 'en', 'de', 'tr', 'ar'],
  PL: ['pl', 'en', 'de', 'uk', 'ru'],
}

export function languagesOf(country: string): readonly StudentLanguage[] {
  return OF_COUNTRY[country] ?? ['de', 'en']
}

/** Returns the language of a locale if students can have it, or English. */
export function pageLanguageOf(locale: string): StudentLanguage {
  const { language } = new Intl.Locale(locale)
  return PAGE_LANGUAGES.find((one) => one === language) ?? 'en'
}

/** Returns a locale for dates and numbers: the language in its script, the country's habits, and digits that look like those of times. */
export function localeIn(language: string, country: string): string {
  return `${language === 'sr' ? 'sr-Latn' : language}-${country}-u-nu-latn`
}

export function isRightToLeft(language: string): boolean {
  return language === 'ar'
}

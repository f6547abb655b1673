import { PACK_COUNTRIES, PACK_LANGUAGES } from '../../../domain/pack-languages.ts'

export type Country = (typeof PACK_COUNTRIES)[number]

/** The zone of each country that has a pack; none of them has more than one at home. */
const ZONES: Readonly<Record<Country, string>> = {
  AT: 'Europe/Vienna',
  CH: 'Europe/Zurich',
  DE: 'Europe/Berlin',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  NL: 'Europe/Amsterdam',
  PL: 'Europe/Warsaw',
}

/** The likely values for a school, by the browser's time zone and its languages, the preferred one first. */
export type Guess = { readonly country: Country; readonly timezone: string; readonly locale: string }

/** The country of the time zone, or else of a language; Germany for who comes from elsewhere. */
export function guessFor(languages: readonly string[], timezone: string): Guess {
  const locales = languages.map((language) => new Intl.Locale(language))
  const regions = locales.map(({ region }) => region)
  const country =
    PACK_COUNTRIES.find((one) => ZONES[one] === timezone) ??
    PACK_COUNTRIES.find((one) => regions.includes(one)) ??
    'DE'
  const known: readonly string[] = PACK_LANGUAGES
  const locale = locales.map(({ language }) => language).find((language) => known.includes(language)) ?? 'en'
  return { country, timezone, locale }
}

/** The time zone of a country. */
export function zoneOf(country: Country): string {
  return ZONES[country]
}

/** All time zones that can be chosen, the guessed one among them. */
export function zonesWith(zone: string): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), zone])].toSorted()
}

import { PACK_COUNTRIES, PACK_LANGUAGES } from '../../../domain/pack-languages.ts'
import { UNCERTAIN_ZONES } from '../../../domain/time-zone.ts'

export type Country = (typeof PACK_COUNTRIES)[number]

/** The time zone of each country with a pack. Each has only one, not counting overseas territories. */
const ZONES: Readonly<Record<Country, string>> = {
  AT: 'Europe/Vienna',
  CH: 'Europe/Zurich',
  DE: 'Europe/Berlin',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  NL: 'Europe/Amsterdam',
  PL: 'Europe/Warsaw',
}

export type Guess = { readonly country: Country; readonly timezone: string; readonly locale: string }

/** Guesses the country by the time zone, or else by a language; Germany if neither helps. */
export function guessFor(languages: readonly string[], timezone: string): Guess {
  const locales = languages.map((language) => new Intl.Locale(language))
  const regions = locales.map(({ region }) => region)
  const country =
    PACK_COUNTRIES.find((one) => ZONES[one] === timezone) ??
    PACK_COUNTRIES.find((one) => regions.includes(one)) ??
    'DE'
  const known: readonly string[] = PACK_LANGUAGES
  const locale = locales.map(({ language }) => language).find((language) => known.includes(language)) ?? 'en'
  return { country, timezone: UNCERTAIN_ZONES.has(timezone) ? ZONES[country] : timezone, locale }
}

export function zoneOf(country: Country): string {
  return ZONES[country]
}

/** Returns all time zones that a school can have, including the guessed one. */
export function zonesWith(zone: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((one) => !UNCERTAIN_ZONES.has(one))
  return [...new Set([...known, zone])].toSorted()
}

import regions from '../../../packs/regions.json'
import type { Format } from './i18n/format.ts'

type Region = keyof typeof regions

/** Returns the codes of a country's regions (ISO 3166-2). */
export function regionsOf(country: string): readonly Region[] {
  return (Object.keys(regions) as Region[]).filter((code) => code.startsWith(`${country}-`))
}

/** Returns the name of a region in the language of the screen; its code if it has no name. */
export function regionName(code: string, { locale }: Pick<Format, 'locale'>): string {
  const names = regions[code as Region]
  return names?.[locale.startsWith('de') ? 'de' : 'en'] ?? code
}

const FIVE_DIGITS: ReadonlySet<string> = new Set(['DE', 'FR'])
const SHORT_CODE = /(^|, |\n)(\d{4})(?=$|,| \p{Lu})/u

/** Returns a place with the 0 that its postal code has lost; undefined if it has lost none. */
export function postalCodeWithZero(place: string, country: string): string | undefined {
  if (!FIVE_DIGITS.has(country) || !SHORT_CODE.test(place)) return undefined
  return place.replace(SHORT_CODE, (_, before: string, code: string) => `${before}0${code}`)
}

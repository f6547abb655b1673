/** The country code, and the trunk prefix of national calls. */
export type Dialling = { readonly code: string; readonly trunk: string }

const DIALLING: Readonly<Record<string, Dialling>> = {
  AT: { code: '43', trunk: '0' },
  CH: { code: '41', trunk: '0' },
  DE: { code: '49', trunk: '0' },
  FR: { code: '33', trunk: '0' },
  GB: { code: '44', trunk: '0' },
  NL: { code: '31', trunk: '0' },
  PL: { code: '48', trunk: '' },
}

/** The prefixes of an unknown country: numbers are compared as written, without a leading 0. */
const UNKNOWN: Dialling = { code: '', trunk: '0' }

/** Returns the code and prefix of a country (ISO 3166, two letters); empty and 0 if it is unknown. */
export function diallingOf(country: string): Dialling {
  return DIALLING[country] ?? UNKNOWN
}

/** Returns the digits to dial from abroad: `49305550145` for `030 5550145` and `+49 (0)30 555-0145`. Accepts partial numbers. */
export function dialledDigits(phone: string, country: string): string {
  const { code, trunk } = diallingOf(country)
  const written = withoutOptionalTrunk(phone).replace(/[^+\d]/g, '')
  const digits = written.replaceAll('+', '')
  if (written.startsWith('+')) return digits
  if (digits.startsWith('00')) return digits.slice('00'.length)
  return digits !== '' && digits.startsWith(trunk) ? code + digits.slice(trunk.length) : digits
}

/** Whether a number begins with a country code or the country's trunk prefix; not known of an unknown country. */
export function isDialledWhole(phone: string, country: string): boolean {
  const digits = phone.replace(/[^+\d]/g, '')
  if (digits.startsWith('+') || digits.startsWith('00')) return true
  const dialling = DIALLING[country]
  return dialling !== undefined && digits.startsWith(dialling.trunk)
}

/** Removes the 0 of `+49 (0)30`. */
export function withoutOptionalTrunk(phone: string): string {
  return phone.replace(/(?<=\d\s*)\(0\)/g, ' ')
}

const BETWEEN = '[\\s()/.-]*'

/** The minimum digits of a number: a shorter one would match too much. */
const FEWEST_DIGITS = 6

/** Returns a regular expression for a number in any national or international format; undefined if it is too short. */
export function phonePattern(phone: string, country: string): string | undefined {
  const { code, trunk } = diallingOf(country)
  const digits = dialledDigits(phone, country)
  if (digits.length < FEWEST_DIGITS) return undefined
  const isHere = code !== '' && digits.startsWith(code)
  const rest = isHere ? digits.slice(code.length) : digits
  const before = isHere ? [`(?:\\+|00)?${[...code].join(BETWEEN)}`, BETWEEN] : ['(?:\\+|00)?']
  const ways = isHere ? `(?:${before.join('')}(?:\\(?0\\)?)?|${trunk})` : before.join('')
  return `${ways}${BETWEEN}${[...rest].join(BETWEEN)}`
}

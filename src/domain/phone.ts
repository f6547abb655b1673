/** The code by which a country is called from abroad, and the prefix dialled there before a number of another area. */
type Dialling = { readonly code: string; readonly trunk: string }

const DIALLING: Readonly<Record<string, Dialling>> = {
  AT: { code: '43', trunk: '0' },
  CH: { code: '41', trunk: '0' },
  DE: { code: '49', trunk: '0' },
  FR: { code: '33', trunk: '0' },
  GB: { code: '44', trunk: '0' },
  NL: { code: '31', trunk: '0' },
  PL: { code: '48', trunk: '' },
}

/** The dialling of an unknown country: a number is compared as it is written, without its first 0. */
const UNKNOWN: Dialling = { code: '', trunk: '0' }

/**
 * The digits of a phone number as they are dialled from abroad, however it is written: `030 5550145`, `+49 (0)30 555-0145` and
 * `004930 5550145` are `49305550145` in Germany. The beginning of a number gives the beginning of its digits.
 */
export function dialledDigits(phone: string, country: string): string {
  const { code, trunk } = DIALLING[country] ?? UNKNOWN
  const written = withoutOptionalTrunk(phone).replace(/[^+\d]/g, '')
  const digits = written.replaceAll('+', '')
  if (written.startsWith('+')) return digits
  if (digits.startsWith('00')) return digits.slice('00'.length)
  return digits !== '' && digits.startsWith(trunk) ? code + digits.slice(trunk.length) : digits
}

/** The number without the 0 that is left out from abroad, as in `+49 (0)30`. */
export function withoutOptionalTrunk(phone: string): string {
  return phone.replace(/(?<=\d\s*)\(0\)/g, ' ')
}

/** The characters that may stand between the digits of a number. */
const BETWEEN = '[\\s()/.-]*'

/** A shorter number is found in too much else. */
const FEWEST_DIGITS = 6

/**
 * A regular expression of a number as it may be written in a text, from the country or from abroad. Nothing for a number that is
 * too short.
 */
export function phonePattern(phone: string, country: string): string | undefined {
  const { code, trunk } = DIALLING[country] ?? UNKNOWN
  const digits = dialledDigits(phone, country)
  if (digits.length < FEWEST_DIGITS) return undefined
  const isHere = code !== '' && digits.startsWith(code)
  const rest = isHere ? digits.slice(code.length) : digits
  const before = isHere ? [`(?:\\+|00)?${[...code].join(BETWEEN)}`, BETWEEN] : ['(?:\\+|00)?']
  const ways = isHere ? `(?:${before.join('')}(?:\\(?0\\)?)?|${trunk})` : before.join('')
  return `${ways}${BETWEEN}${[...rest].join(BETWEEN)}`
}

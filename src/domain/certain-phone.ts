import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { dialledDigits, diallingOf, isDialledWhole } from './phone.ts'

/** Digits and the signs between them. A word beside the number, or a second number, makes it uncertain. */
const WRITTEN = /^[+\d\s()/.–-]+$/

/** Returns a valid number with a country code or trunk prefix as `+49…`. Without them it may be another country's: undefined. */
export function certainNumber(phone: string, country: string): string | undefined {
  if (!WRITTEN.test(phone) || !isDialledWhole(phone, country)) return undefined
  const number = parsePhoneNumberFromString(`+${dialledDigits(phone, country)}`)
  return number?.isValid() ? number.number : undefined
}

/** A number without decimals that a spreadsheet adds. */
const CELL = /^([1-9][\d ()/–-]*\d)(?:[.,]0{1,2})?$/
/** The minimum digits: fewer may be a number without an area code. */
const FEWEST_DIGITS = 9

/** Returns the certain number that lacks the 0 or + which a spreadsheet has removed; undefined if there is none. */
export function wholeNumberOf(phone: string, country: string): string | undefined {
  const [, written = ''] = CELL.exec(phone.trim()) ?? []
  const digits = written.replace(/\D/g, '')
  const { code, trunk } = diallingOf(country)
  if (digits.length < FEWEST_DIGITS || certainNumber(written, country) !== undefined) return undefined
  const isAbroad = digits.startsWith(code) && digits.length >= code.length + FEWEST_DIGITS
  const whole = `${isAbroad ? '+' : trunk}${written}`
  return certainNumber(whole, country) === undefined ? undefined : whole
}

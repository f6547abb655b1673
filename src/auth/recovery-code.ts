import { randomBytes } from 'node:crypto'

/** The number of codes that are created at once. */
export const RECOVERY_CODES = 10

/** Crockford's base 32: no letter that is taken for another, or for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** A recovery code: 80 random bits, as four groups of four letters and digits. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** A recovery code as it was made, whatever a person has made of it who read it from paper. */
export function recoveryCodeIn(typed: string): string {
  const letters = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

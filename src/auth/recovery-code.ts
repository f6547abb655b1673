import { randomBytes } from 'node:crypto'

export const RECOVERY_CODES = 10

/** Crockford's base 32, without letters that resemble others or digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Returns 80 random bits as four groups of four characters. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** Normalizes a code that a person has typed. */
export function recoveryCodeIn(typed: string): string {
  const letters = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

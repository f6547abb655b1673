import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The figures of RFC 6238 that every authenticator app supports. */
const DIGITS = 6
const STEP_SECONDS = 30
const SECRET_BYTES = 20

/** The steps by which the clocks of the user and the service may differ. */
const DRIFT = [-1, 0, 1]

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns 160 random bits in the base 32 that authenticator apps take. */
export function newTotpSecret(): string {
  let bits = ''
  for (const byte of randomBytes(SECRET_BYTES)) bits += byte.toString(2).padStart(8, '0')
  return bits.replace(/.{5}/g, (group) => ALPHABET[Number.parseInt(group, 2)] ?? '')
}

/** Returns the address that authenticator apps read from a QR code. */
export function totpUri(secret: string, { email, school }: { email: string; school: string }): string {
  const issuer = encodeURIComponent(`Fahrplan ${school}`.replaceAll(':', ' '))
  const label = `${issuer}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}

/** Returns the code of a step (RFC 4226 with the step as its counter). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** Returns the step whose code a person has typed; undefined if there is none. Compares every code in constant time. */
export function stepOfCode(secret: string, typed: string, now: Date): number | undefined {
  const code = Buffer.from(typed.replace(/\s/g, ''))
  const current = totpStep(now)
  const fitting = DRIFT.map((drift) => current + drift).filter((step) => {
    const right = Buffer.from(totpCode(secret, step))
    return code.length === right.length && timingSafeEqual(code, right)
  })
  return fitting.at(-1)
}

function bytesOf(secret: string): Buffer {
  let bits = ''
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

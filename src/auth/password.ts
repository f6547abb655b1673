import { type Algorithm, hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { unavailable } from '../contract/problem.ts'

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const OPTIONS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Limits hashing to four at once, so that logins cannot starve other requests. */
const place = pLimit(4)
const LONGEST_QUEUE = 250

/** The hash to compare for an unknown user, so that this takes as long as a wrong password. */
const nobodysHash = hash('nobody has this password', OPTIONS)

/** Hashes a password as Unicode composes it (NFC): some keyboards and password managers type `é` as two characters. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFC'), OPTIONS))
}

/** Returns the hash that replaces one of the password as typed; undefined if the stored one is of the composed password. */
export async function renewedHash(password: string, stored: string): Promise<string | undefined> {
  const composed = password.normalize('NFC')
  if (composed === password || (await inTurn(() => verify(stored, composed)))) return undefined
  return hashPassword(password)
}

/** The format of Argon2id with 16 bytes of salt and 32 of hash. The lengths restrict the last character of each. */
const HASH =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]),p=([1-9])\$[A-Za-z0-9+/]{21}[AQgw]\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/

/** The minimum of Argon2: eight blocks per lane. */
const LEAST_MEMORY = 8

/** Whether a comparison with the hash costs at most as much as with one of this service, and cannot throw. */
export function isAffordableHash(text: string): boolean {
  const [memory = 0, time = 0, lanes = 0] = (HASH.exec(text) ?? []).slice(1).map(Number)
  const isWhole = lanes > 0 && memory >= LEAST_MEMORY * lanes
  return isWhole && memory <= OPTIONS.memoryCost && time <= OPTIONS.timeCost && lanes <= OPTIONS.parallelism
}

/** Whether the password matches, composed or as typed. Without an affordable hash, takes as long and returns false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const stored = passwordHash !== undefined && isAffordableHash(passwordHash) ? passwordHash : undefined
  for (const form of new Set([password.normalize('NFC'), password])) {
    const fits = await verify(stored ?? (await nobodysHash), form)
    if (fits && stored !== undefined) return true
  }
  return false
}

/** Runs work when a hashing slot is free. Throws `unavailable` if too many are waiting. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (place.pendingCount >= LONGEST_QUEUE) throw unavailable(5)
  return place(work)
}

import { type Algorithm, hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { unavailable } from '../contract/problem.ts'

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const OPTIONS = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** At most four hashes at once, so that logins cannot starve everything else; a place is kept until its hash ends. */
const place = pLimit(4)
const LONGEST_QUEUE = 250

/** Compared with where there is no user, so that a miss takes as long as a wrong password. */
const nobodysHash = hash('nobody has this password', OPTIONS)

/** The hash to store. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS))
}

/** Whether the password fits the hash, byte for byte. Without a hash it takes as long, and fits nothing. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await nobodysHash), password)
  return fits && passwordHash !== undefined
}

/** Runs the work when one of the places for hashing is free; refuses when too many wait already. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (place.pendingCount >= LONGEST_QUEUE) throw unavailable(5)
  return place(work)
}

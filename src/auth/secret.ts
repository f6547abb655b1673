import { createHash, randomBytes } from 'node:crypto'

/** A secret that a link or a token carries: 256 random bits, as 43 characters that stand in an address unchanged. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a secret for storage. 256 random bits need no slow hash. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

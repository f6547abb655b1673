import { createHash, randomBytes } from 'node:crypto'

/** Returns 256 random bits in 43 URL-safe characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns a fast hash, which suffices for 256 random bits. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

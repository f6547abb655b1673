import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { hashOf } from './secret.ts'

/** Derives the set-up token of an empty installation from JWT_SECRET, without revealing it: 256 bits in 43 characters. */
export function setupToken(jwtSecret: string): string {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan setup', 32)).toString('base64url')
}

export function isSetupToken(token: string, jwtSecret: string): boolean {
  return timingSafeEqual(hashOf(token), hashOf(setupToken(jwtSecret)))
}

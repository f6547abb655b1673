import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { hashOf } from './secret.ts'

/**
 * Derives the token that opens the set-up of an installation without a school: 256 bits as 43 characters. It follows from the
 * secret of the access tokens without revealing it, so that all processes of an installation accept the same one.
 */
export function setupToken(jwtSecret: string): string {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan setup', 32)).toString('base64url')
}

/** Whether somebody has brought that token. */
export function isSetupToken(token: string, jwtSecret: string): boolean {
  return timingSafeEqual(hashOf(token), hashOf(setupToken(jwtSecret)))
}

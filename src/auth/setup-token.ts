import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { hashOf } from './secret.ts'

/**
 * What opens the set-up of an installation without a school: 256 bits as 43 characters. It follows from the secret of the
 * access tokens, which it does not tell: all processes of an installation take it, whichever of them has said it.
 */
export function setupToken(jwtSecret: string): string {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan setup', 32)).toString('base64url')
}

/** Whether somebody has brought that token. */
export function isSetupToken(token: string, jwtSecret: string): boolean {
  return timingSafeEqual(hashOf(token), hashOf(setupToken(jwtSecret)))
}

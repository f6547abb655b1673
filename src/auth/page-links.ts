import { createHmac, hkdfSync } from 'node:crypto'
import { linkTokenOf, type NewLinkToken } from './link-token.ts'

/** Returns a function that derives the second secret of a student's link, for messages: of the first one only a hash is stored. */
export function pageTokens(jwtSecret: string): (tenantId: string, linkId: string) => NewLinkToken {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan page link of messages', 32))
  return (tenantId, linkId) =>
    linkTokenOf(tenantId, createHmac('sha256', key).update(`${tenantId} ${linkId}`).digest('base64url'))
}

import { createHmac, hkdfSync } from 'node:crypto'
import { linkTokenOf, type NewLinkToken } from './link-token.ts'

type Addressed = { readonly tenantId: string; readonly offer_id: string; readonly student_id: string }

/** Derives the secrets of offers from JWT_SECRET, so that links can be shown again although only hashes are stored. */
export class OfferLinkSecrets {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan offer link', 32))
  }

  tokenFor({ tenantId, offer_id, student_id }: Addressed): NewLinkToken {
    const text = `${tenantId} ${offer_id} ${student_id}`
    return linkTokenOf(tenantId, createHmac('sha256', this.#key).update(text).digest('base64url'))
  }
}

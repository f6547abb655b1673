import { createHmac, hkdfSync } from 'node:crypto'
import { linkTokenOf, type NewLinkToken } from './link-token.ts'

/** The student to whom an offer is made. */
type Addressed = { readonly tenantId: string; readonly offer_id: string; readonly student_id: string }

/**
 * Makes the secrets of the links to offers with a key derived from JWT_SECRET, so that a link can be shown again, and a repeated
 * request answered, while the database has its hash alone.
 */
export class OfferLinks {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan offer link', 32))
  }

  tokenFor({ tenantId, offer_id, student_id }: Addressed): NewLinkToken {
    const text = `${tenantId} ${offer_id} ${student_id}`
    return linkTokenOf(tenantId, createHmac('sha256', this.#key).update(text).digest('base64url'))
  }
}

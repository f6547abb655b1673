import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { idAtStartOf, textOfId } from './link-token.ts'
import { newSecret } from './secret.ts'

const SEAL_LENGTH = 22
const TOKEN = /^[\w-]{87}$/

/**
 * Makes refresh tokens: the tenant's id, 256 random bits, and a seal over both, made with a key that is derived from JWT_SECRET. The
 * seal only shows that a token was made here, whatever has become of it since: nobody fills a school's line with invented ones.
 */
export class RefreshSecrets {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan refresh token', 32))
  }

  /** Returns a new token of a tenant. */
  make(tenantId: string): string {
    const text = textOfId(tenantId) + newSecret()
    return text + this.#seal(text)
  }

  /** Returns the tenant of a token that was made here; undefined for all others, also those of releases without a seal. */
  tenantOf(token: string): string | undefined {
    if (!TOKEN.test(token)) return undefined
    const text = token.slice(0, -SEAL_LENGTH)
    const isOwn = timingSafeEqual(Buffer.from(token.slice(-SEAL_LENGTH)), Buffer.from(this.#seal(text)))
    return isOwn ? idAtStartOf(text) : undefined
  }

  #seal(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, SEAL_LENGTH)
  }
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { idAtStartOf, textOfId } from './link-token.ts'
import { newSecret } from './secret.ts'

const SEAL_LENGTH = 22
const TOKEN = /^[\w-]{87}$/

/**
 * Makes refresh tokens: the tenant's id, 256 random bits, and a seal over both with a key derived from JWT_SECRET. The seal
 * only proves that this service made a token, so that forged ones cannot fill a school's queue.
 */
export class RefreshSecrets {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan refresh token', 32))
  }

  make(tenantId: string): string {
    const text = textOfId(tenantId) + newSecret()
    return text + this.#seal(text)
  }

  /** Returns the tenant of a sealed token; undefined for others, including tokens of older releases. */
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

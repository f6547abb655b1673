import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Returns a new secret as Standard Webhooks spells it: 256 random bits. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/** The message to sign: `at` is the time of sending, in seconds since 1970. */
export type SignedMessage = { readonly id: string; readonly at: number; readonly body: string }

/** Returns the `webhook-signature` of a message (Standard Webhooks 1.0). */
export function signatureOf({ id, at, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** Seals the secrets of webhooks for the database, with a key derived from JWT_SECRET. A seal is valid for one webhook. */
export class WebhookSecrets {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan webhook secret', KEY_BYTES))
  }

  seal(webhookId: string, secret: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(webhookId))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Returns the secret; undefined if it was sealed with another key or for another webhook. */
  open(webhookId: string, sealed: Buffer): string | undefined {
    const [nonce, tag] = [
      sealed.subarray(0, NONCE_BYTES),
      sealed.subarray(NONCE_BYTES).subarray(0, TAG_BYTES),
    ]
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(webhookId))
        .setAuthTag(tag)
      const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Encrypts texts for the database with a key derived from JWT_SECRET. A sealed text is valid for one purpose and one owner. */
export class Seals {
  readonly #key: Buffer

  constructor(jwtSecret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', purpose, KEY_BYTES))
  }

  seal(ownerId: string, text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(ownerId))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Returns the text; undefined if it was sealed with another key or for another owner. */
  open(ownerId: string, sealed: Buffer): string | undefined {
    const [nonce, tag] = [
      sealed.subarray(0, NONCE_BYTES),
      sealed.subarray(NONCE_BYTES).subarray(0, TAG_BYTES),
    ]
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(tag)
      const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}

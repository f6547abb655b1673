import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import type { Received, Receiver } from './receiver.ts'

/** A device of a student: the keys of its browser and the endpoint at its push service. */
export class Device {
  readonly endpoint: string
  readonly #pair = createECDH('prime256v1')
  readonly #auth = randomBytes(16)

  constructor({ url }: Pick<Receiver, 'url'>, name: string = randomUUID()) {
    this.endpoint = new URL(`/push/${name}`, url).href
    this.#pair.generateKeys()
  }

  /** The subscription as the page sends it. */
  get fields(): Readonly<Record<'endpoint' | 'p256dh' | 'auth', string>> {
    const { endpoint } = this
    return {
      endpoint,
      p256dh: this.#pair.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
    }
  }

  /** Decrypts a message as a browser does (RFC 8291, RFC 8188). */
  read({ bytes }: Received): { readonly id: string; readonly title: string; readonly body: string } {
    const [salt, keyLength] = [bytes.subarray(0, 16), bytes.readUInt8(20)]
    const sender = bytes.subarray(21, 21 + keyLength)
    const sealed = bytes.subarray(21 + keyLength)
    const own = this.#pair.getPublicKey()
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
    const secret = derived(this.#pair.computeSecret(sender), this.#auth, info, 32)
    const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12)
    const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
    // The last record ends with 2 and padding.
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString())
  }
}

function derived(secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

/** Verifies the sender's token as a push service does (RFC 8292), and returns its claims. */
export async function senderOf({ headers }: Received, publicKey: string): Promise<Record<string, unknown>> {
  const [, token = '', key] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== publicKey) throw new Error('another key')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'))
  return payload
}

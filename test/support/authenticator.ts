import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { PasskeyAssertion, PasskeyRegistration } from '../../src/contract/passkey.ts'

/** The options of a WebAuthn request that an authenticator needs. */
type Options = {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

/** A deviation of a browser or device from correct behaviour. */
type Oddity = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
  readonly signedBy?: Authenticator
}

const PRESENT = 0x01
const VERIFIED = 0x04
const CAN_BE_SYNCED = 0x08
const IS_BACKED_UP = 0x10
const HAS_KEY = 0x40

/** A device with one passkey in a browser at an origin. Its keys and signatures are real. */
export class Authenticator {
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #isSynced: boolean
  readonly id = randomBytes(16).toString('base64url')
  #userHandle: string | undefined
  /** The signature counter, which stays 0 for a synced passkey. */
  counter = 0

  constructor(origin: string, { isSynced = false } = {}) {
    this.#origin = origin
    this.#isSynced = isSynced
  }

  get #privateKey(): KeyObject {
    return this.#keys.privateKey
  }

  /** Returns the result of `navigator.credentials.create`. */
  register(options: Options, oddity: Oddity = {}): PasskeyRegistration {
    this.#userHandle = options.user?.id
    const authData = this.#authData(oddity.rpId ?? options.rp?.id ?? '', oddity, true)
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, oddity).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Returns the result of `navigator.credentials.get`. */
  answer(options: Options, oddity: Oddity = {}): PasskeyAssertion {
    if (!this.#isSynced) this.counter += 1
    const authData = this.#authData(oddity.rpId ?? options.rpId ?? '', oddity, false)
    const clientData = this.#clientData('webauthn.get', options, oddity)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    const key = (oddity.signedBy ?? this).#privateKey
    const userHandle = oddity.userHandle === undefined ? this.#userHandle : oddity.userHandle
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, key).toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    }
  }

  #credential() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(type: string, { challenge }: Options, oddity: Oddity): Buffer {
    const { origin = this.#origin } = oddity
    const data = {
      type: oddity.type ?? type,
      challenge: oddity.challenge ?? challenge,
      origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(data))
  }

  #authData(rpId: string, oddity: Oddity, withKey: boolean): Buffer {
    const { isVerified = true, isPresent = true, counter = this.counter } = oddity
    const flags =
      (isPresent ? PRESENT : 0) |
      (isVerified ? VERIFIED : 0) |
      (this.#isSynced ? CAN_BE_SYNCED | IS_BACKED_UP : 0) |
      (withKey ? HAS_KEY : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    const rpIdHash = createHash('sha256').update(rpId).digest()
    return Buffer.concat([rpIdHash, head, ...(withKey ? [this.#keyData()] : [])])
  }

  #keyData(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const point = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    return Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(key as never))])
  }
}

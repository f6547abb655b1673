import { createECDH, hkdfSync } from 'node:crypto'

const CURVE = 'prime256v1'
/** The order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** The key's length and 128 bits more, so that the remainder is nearly uniform (FIPS 186-5, A.2.1). */
const BYTES = 48

/** The key pair with which the installation identifies itself to push services (RFC 8292), and its contact. */
export type PushKeys = {
  readonly subject: string
  readonly publicKey: string
  readonly privateKey: string
}

/** Derives the pair from JWT_SECRET, so that all processes use the same one. Returns undefined without a contact. */
export function pushKeysOf(jwtSecret: string, subject: string | undefined): PushKeys | undefined {
  if (subject === undefined) return undefined
  const bytes = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan push keys', BYTES)).toString('hex')
  const scalar = (BigInt(`0x${bytes}`) % (ORDER - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const pair = createECDH(CURVE)
  pair.setPrivateKey(privateKey)
  return {
    subject,
    publicKey: pair.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  }
}

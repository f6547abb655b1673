import { isUuid } from '../contract/formats.ts'
import { hashOf, newSecret } from './secret.ts'

const UUID_LENGTH = 22
const TOKEN = /^[\w-]{65}$/

export type NewLinkToken = { readonly token: string; readonly token_hash: Buffer }

export type LinkToken = { readonly tenantId: string; readonly token_hash: Buffer }

/** Returns a new token: the tenant's id in 22 characters, for the look-up, then a secret. */
export function newLinkToken(tenantId: string): NewLinkToken {
  return linkTokenOf(tenantId, newSecret())
}

/** Returns the token for a secret of 256 bits in 43 characters. */
export function linkTokenOf(tenantId: string, secret: string): NewLinkToken {
  return { token: textOfId(tenantId) + secret, token_hash: hashOf(secret) }
}

export function textOfId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

/** Returns the UUID encoded at the start of a text, or undefined. */
export function idAtStartOf(text: string): string | undefined {
  const hex = Buffer.from(text.slice(0, UUID_LENGTH), 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? id : undefined
}

export function readLinkToken(token: string): LinkToken | undefined {
  if (!TOKEN.test(token)) return undefined
  const tenantId = idAtStartOf(token)
  return tenantId === undefined ? undefined : { tenantId, token_hash: hashOf(token.slice(UUID_LENGTH)) }
}

import { isUuid } from '../contract/formats.ts'
import { hashOf, newSecret } from './secret.ts'

const UUID_LENGTH = 22
const TOKEN = /^[\w-]{65}$/

/** The token of a school's link, and the hash that is stored. */
type NewLinkToken = { readonly token: string; readonly token_hash: Buffer }

/** A link's secret as it is presented: whose it claims to be, and its hash. */
export type LinkToken = { readonly tenantId: string; readonly token_hash: Buffer }

/** A new token: 22 characters of the tenant's id, so that who looks it up can name the tenant, and then the secret. */
export function newLinkToken(tenantId: string): NewLinkToken {
  const secret = newSecret()
  return { token: textOfId(tenantId) + secret, token_hash: hashOf(secret) }
}

/** Returns a UUID as 22 characters that stand in an address unchanged. */
export function textOfId(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

/** Returns the UUID whose 22 characters a text begins with; undefined if they are none. */
export function idAtStartOf(text: string): string | undefined {
  const hex = Buffer.from(text.slice(0, UUID_LENGTH), 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? id : undefined
}

/** The parts of a token, if it has the form of one. */
export function readLinkToken(token: string): LinkToken | undefined {
  if (!TOKEN.test(token)) return undefined
  const tenantId = idAtStartOf(token)
  return tenantId === undefined ? undefined : { tenantId, token_hash: hashOf(token.slice(UUID_LENGTH)) }
}

import { isUuid } from '../contract/formats.ts'
import { hashOf, newSecret } from './secret.ts'

const UUID_LENGTH = 22
const TOKEN = /^[\w-]{65}$/

/** What a link of a school carries, and what is stored of it. */
type NewLinkToken = { readonly token: string; readonly token_hash: Buffer }

/** A link's secret as it is presented: whose it claims to be, and its hash. */
export type LinkToken = { readonly tenantId: string; readonly token_hash: Buffer }

/** A new token: 22 characters of the tenant's id, so that who looks it up can name the tenant, and then the secret. */
export function newLinkToken(tenantId: string): NewLinkToken {
  const secret = newSecret()
  const owner = Buffer.from(tenantId.replaceAll('-', ''), 'hex').toString('base64url')
  return { token: owner + secret, token_hash: hashOf(secret) }
}

/** The parts of a token, if it has the form of one. */
export function readLinkToken(token: string): LinkToken | undefined {
  if (!TOKEN.test(token)) return undefined
  const hex = Buffer.from(token.slice(0, UUID_LENGTH), 'base64url').toString('hex')
  const tenantId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(tenantId) ? { tenantId, token_hash: hashOf(token.slice(UUID_LENGTH)) } : undefined
}

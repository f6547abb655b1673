import { createHmac } from 'node:crypto'
import { JWT_SECRET } from './environment.ts'

type Json = Readonly<Record<string, unknown>>

/** Returns a signed token with any header and claims, made without the library that the service verifies tokens with. */
export function jwt(
  header: Json,
  claims: unknown,
  { secret = JWT_SECRET, hash = 'sha256' }: { secret?: string; hash?: string } = {},
): string {
  const signed = `${encoded(header)}.${encoded(claims)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

/** Returns the claims of a token without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

export function headerOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
}

export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

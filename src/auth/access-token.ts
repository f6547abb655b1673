import { jwtVerify, SignJWT } from 'jose'
import { isUuid } from '../contract/formats.ts'

/** Seconds that an access token and its cookie live. */
export const ACCESS_TOKEN_SECONDS = 8 * 60 * 60

const ISSUER = 'fahrplan'
const AUDIENCE = 'fahrplan-api'
const CLOCK_TOLERANCE_SECONDS = 30

/** Who acts, for which tenant, in which session. */
export type Claims = { readonly sub: string; readonly tid: string; readonly sid: string }

/** The signing key: the UTF-8 bytes of JWT_SECRET. */
export function signingKey(secret: string): Uint8Array {
  return new TextEncoder().encode(secret)
}

/** A token that is valid for eight hours from now. */
export async function signAccessToken(
  key: Uint8Array,
  { sub, tid, sid }: Claims,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ tid, sid })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(sub)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(key)
}

/** The claims of a token that this service has signed and that is valid now; nothing for any other text. */
export async function verifyAccessToken(
  key: Uint8Array,
  token: string,
  now: Date,
): Promise<Claims | undefined> {
  if (!isCanonical(token)) return undefined
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: ACCESS_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now,
    })
    if (!hasOnlyKnownParameters(protectedHeader)) return undefined
    return claimsFor(payload)
  } catch {
    return undefined
  }
}

/** Base64url has several spellings of the same bytes; only one of them is ours. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

function hasOnlyKnownParameters(header: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(header)
  return names.every((name) => name === 'alg' || name === 'typ') && (header.typ ?? 'JWT') === 'JWT'
}

function claimsFor({ sub, tid, sid }: Readonly<Record<string, unknown>>): Claims | undefined {
  return isId(sub) && isId(tid) && isId(sid) ? { sub, tid, sid } : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value)
}

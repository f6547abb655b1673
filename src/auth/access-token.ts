import { randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { isUuid } from '../contract/formats.ts'

/** The lifetime in seconds of an access token and its cookie. */
export const ACCESS_TOKEN_SECONDS = 8 * 60 * 60

const ISSUER = 'fahrplan'
const AUDIENCE = 'fahrplan-api'
const CLOCK_TOLERANCE_SECONDS = 30
const MAX_TOKENS = 10_000
/** Enough bytes to distinguish tokens of one session issued in the same second. */
const ID_BYTES = 9

export type Claims = { readonly sub: string; readonly tid: string; readonly sid: string }

/** The reason for rejecting a token; `expired` only if this service signed it. */
export type TokenFault = 'expired' | 'invalid'

/** The claims of a token, with times in seconds since 1970. */
type VerifiedToken = { readonly claims: Claims; readonly issuedAt: number; readonly expiresAt: number }

/** Signs and verifies access tokens with the UTF-8 bytes of JWT_SECRET. */
export class AccessTokens {
  readonly #key: Uint8Array
  /** The verified tokens: a signature does not change, so they stay valid until they expire. */
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS })

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret)
  }

  /** Returns a unique token that is valid for eight hours from now. */
  async sign({ sub, tid, sid }: Claims, now: Date): Promise<string> {
    const issuedAt = Math.floor(now.getTime() / 1000)
    return new SignJWT({ tid, sid })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(sub)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setJti(randomBytes(ID_BYTES).toString('base64url'))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(this.#key)
  }

  /** Returns the claims of a valid token, or the reason for rejecting it. */
  async verify(token: string, now: Date): Promise<Claims | TokenFault> {
    const known = this.#verified.get(token)
    const seconds = now.getTime() / 1000
    if (known && known.issuedAt <= seconds && seconds < known.expiresAt) return known.claims
    const verified = isCanonical(token) ? await this.#check(token, now) : 'invalid'
    if (typeof verified === 'string') return verified
    this.#verified.set(token, verified)
    return verified.claims
  }

  /** Verifies a token. jose checks the signature before the times, so an expired token is genuine. */
  async #check(token: string, now: Date): Promise<VerifiedToken | TokenFault> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'iat'],
        maxTokenAge: ACCESS_TOKEN_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now,
      })
      const claims = hasOnlyKnownParameters(protectedHeader) ? claimsFor(payload) : undefined
      return claims ? { claims, issuedAt: payload.iat ?? 0, expiresAt: payload.exp ?? 0 } : 'invalid'
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
    }
  }
}

/** Whether each part is canonical: several base64url texts decode to the same bytes, and only one is accepted. */
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

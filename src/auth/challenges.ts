import { jwtVerify, SignJWT } from 'jose'
import { isUuid } from '../contract/formats.ts'
import { newId } from '../contract/new-id.ts'

/** Seconds within which a challenge must be answered. */
export const CHALLENGE_SECONDS = 5 * 60

const ISSUER = 'fahrplan'
const AUDIENCE = 'fahrplan-challenge'

/** The purpose of a challenge: a response to a challenge of another purpose is rejected. */
export type Purpose = 'login' | 'second_factor' | 'registration' | 'proof'

/** For whom, where that is known; after a password also which, so that another password ends it. */
export type Subject = { readonly userId?: string; readonly password?: string }

/** A challenge that was made here and is in time. `id` is to be used up once. */
export type Challenge = Subject & { readonly id: string }

/**
 * Makes challenges, and knows its own again: they are sealed, so that nothing is stored for who only asks for one. What has
 * been answered is stored (`db/accounts/passkeys.ts`).
 */
export class Challenges {
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret)
  }

  /** The text whose bytes are the challenge. */
  async seal(purpose: Purpose, { userId, password }: Subject, now: Date): Promise<string> {
    const issuedAt = Math.floor(now.getTime() / 1000)
    const token = new SignJWT({ purpose, ...(password === undefined ? {} : { pwd: password }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(newId())
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + CHALLENGE_SECONDS)
    if (userId !== undefined) token.setSubject(userId)
    return token.sign(this.#key)
  }

  /** Returns the challenge that the browser sends back in base64url; undefined if it is of another purpose or has expired. */
  async open(challenge: string, purpose: Purpose, now: Date): Promise<Challenge | undefined> {
    try {
      const { payload } = await jwtVerify(Buffer.from(challenge, 'base64url').toString(), this.#key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: now,
      })
      const { jti = '', sub, pwd } = payload
      if (payload.purpose !== purpose || !isUuid(jti)) return undefined
      return {
        id: jti,
        ...(sub === undefined ? {} : { userId: sub }),
        ...(typeof pwd === 'string' ? { password: pwd } : {}),
      }
    } catch {
      return undefined
    }
  }
}

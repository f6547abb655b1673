import { jwtVerify, SignJWT } from 'jose'
import { isUuid } from '../contract/formats.ts'
import { newId } from '../contract/new-id.ts'

export const CHALLENGE_SECONDS = 5 * 60

const ISSUER = 'fahrplan'
const AUDIENCE = 'fahrplan-challenge'

/** The purpose of a challenge. A response for another purpose is rejected. */
export type Purpose = 'login' | 'second_factor' | 'registration' | 'proof'

/** The user, if known; after a password also its mark, so that a new password invalidates the challenge. */
export type Subject = { readonly userId?: string; readonly password?: string }

/** A genuine challenge in time. `id` may be used once. */
export type Challenge = Subject & { readonly id: string }

/** Seals and opens challenges, so that nothing is stored for a mere request. Used ones are stored (`db/accounts/passkeys.ts`). */
export class Challenges {
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret)
  }

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

  /** Opens a challenge in base64url; undefined if its purpose is another or it has expired. */
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

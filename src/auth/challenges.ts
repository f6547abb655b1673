import { jwtVerify, SignJWT } from 'jose'
import { isUuid } from '../contract/formats.ts'
import { newId } from '../contract/new-id.ts'

export const CHALLENGE_SECONDS = 5 * 60

const ISSUER = 'fahrplan'
const AUDIENCE = 'fahrplan-challenge'

/** The purpose of a challenge. A response for another purpose is rejected. */
export type Purpose = 'login' | 'second_factor' | 'registration' | 'proof'

/** A user whose password has been proved; the mark changes with the password. */
export type MarkedLogin = { readonly id: string; readonly mark: string }

/** The users of other schools whose password has also been proved, or the session to switch from. */
export type SwitchSource = { readonly others?: readonly MarkedLogin[]; readonly from?: string }

/** The user, if known, and after a password its mark, so that a new password invalidates the challenge. */
export type Subject = SwitchSource & { readonly userId?: string; readonly password?: string }

export type Challenge = Subject & { readonly id: string }

/** Seals and opens challenges, so that only used ones have to be stored (`db/accounts/passkeys.ts`). */
export class Challenges {
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret)
  }

  async seal(purpose: Purpose, { userId, password, others = [], from }: Subject, now: Date): Promise<string> {
    const issuedAt = Math.floor(now.getTime() / 1000)
    const token = new SignJWT({
      purpose,
      ...(password === undefined ? {} : { pwd: password }),
      ...(others.length === 0 ? {} : { others: others.map(({ id, mark }) => [id, mark]) }),
      ...(from === undefined ? {} : { from }),
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(newId())
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + CHALLENGE_SECONDS)
    if (userId !== undefined) token.setSubject(userId)
    return token.sign(this.#key)
  }

  /** Returns the challenge in a base64url text; undefined if it is not genuine, has another purpose or has expired. */
  async open(challenge: string, purpose: Purpose, now: Date): Promise<Challenge | undefined> {
    try {
      const { payload } = await jwtVerify(Buffer.from(challenge, 'base64url').toString(), this.#key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: now,
      })
      const { jti = '', sub, pwd, others, from } = payload
      if (payload.purpose !== purpose || !isUuid(jti)) return undefined
      return {
        id: jti,
        ...(sub === undefined ? {} : { userId: sub }),
        ...(typeof pwd === 'string' ? { password: pwd } : {}),
        ...(Array.isArray(others) ? { others: others.map(([id, mark]) => ({ id, mark })) } : {}),
        ...(typeof from === 'string' ? { from } : {}),
      }
    } catch {
      return undefined
    }
  }
}

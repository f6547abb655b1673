import { newId } from '../contract/new-id.ts'
import { CHALLENGE_SECONDS } from './challenges.ts'
import { Seals } from './seals.ts'
import { newTotpSecret } from './totp.ts'

/** The seconds in which an offered secret can be confirmed: somebody may first have to install an app. */
const OFFER_SECONDS = 3 * CHALLENGE_SECONDS

export type OfferedSecret = { readonly id: string; readonly secret: string }

/** Seals the secrets of authenticator apps, each for its own user. */
export class TotpSecrets extends Seals {
  readonly #offers: Seals

  constructor(jwtSecret: string) {
    super(jwtSecret, 'fahrplan totp secret')
    this.#offers = new Seals(jwtSecret, 'fahrplan totp offer')
  }

  /** Returns a new secret, and a challenge that contains it sealed. */
  offer(userId: string, now: Date): { readonly secret: string; readonly challenge: string } {
    const secret = newTotpSecret()
    const text = JSON.stringify({ id: newId(), secret, until: now.getTime() + OFFER_SECONDS * 1000 })
    return { secret, challenge: this.#offers.seal(userId, text).toString('base64url') }
  }

  /** Returns the offer of a challenge; undefined if it is not this user's or has expired. */
  offered(userId: string, challenge: string, now: Date): OfferedSecret | undefined {
    const text = this.#offers.open(userId, Buffer.from(challenge, 'base64url'))
    if (text === undefined) return undefined
    const { until, ...offer } = JSON.parse(text)
    return now.getTime() < until ? offer : undefined
  }
}

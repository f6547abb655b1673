import { notFound } from '../contract/problem.ts'
import { Seals } from './seals.ts'

/** Seals the addresses of secret links in the responses that are stored for retries. */
export class LinkSeals {
  readonly #seals: Seals

  constructor(jwtSecret: string) {
    this.#seals = new Seals(jwtSecret, 'fahrplan kept link')
  }

  seal(holderId: string, url: string): string {
    return this.#seals.seal(holderId, url).toString('base64url')
  }

  /** Returns the address. Throws `not_found` if `JWT_SECRET` has changed. */
  open(holderId: string, sealed: string): string {
    const url = this.#seals.open(holderId, Buffer.from(sealed, 'base64url'))
    if (url === undefined) throw notFound()
    return url
  }
}

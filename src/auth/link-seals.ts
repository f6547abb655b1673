import { notFound } from '../contract/problem.ts'
import { Seals } from './seals.ts'

/** Seals the addresses of secret links in the answers that are kept for retries. */
export class LinkSeals {
  readonly #seals: Seals

  constructor(jwtSecret: string) {
    this.#seals = new Seals(jwtSecret, 'fahrplan kept link')
  }

  seal(holderId: string, url: string): string {
    return this.#seals.seal(holderId, url).toString('base64url')
  }

  /** Returns the address. Throws `not_found` if the service has another `JWT_SECRET` by now. */
  open(holderId: string, sealed: string): string {
    const url = this.#seals.open(holderId, Buffer.from(sealed, 'base64url'))
    if (url === undefined) throw notFound()
    return url
  }
}

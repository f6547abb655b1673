import { createHash, randomBytes } from 'node:crypto'
import { Seals } from '../auth/seals.ts'
import { newId } from '../contract/new-id.ts'

export const SSO_SECONDS = 10 * 60

/** The purpose of a way to the issuer and back: a login, an invitation, or a link between a user and a person there. */
export type SsoPurpose =
  | { readonly kind: 'login' }
  | { readonly kind: 'invitation'; readonly token: string }
  | { readonly kind: 'link'; readonly familyId: string }

/** A request to an issuer, known only to the browser that began it. */
export type SsoRequest = {
  readonly id: string
  readonly tenantId: string
  readonly issuer: string
  readonly clientId: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Whether the person has to log in at the issuer again. */
  readonly isFresh: boolean
  readonly purpose: SsoPurpose
}

type Provider = { readonly tenant_id: string; readonly issuer: string; readonly client_id: string }

/** Seals requests into a cookie of the browser, so that only used ones have to be stored. */
export class SsoRequests {
  readonly #seals: Seals

  constructor(jwtSecret: string) {
    this.#seals = new Seals(jwtSecret, 'fahrplan sso request')
  }

  make(
    { tenant_id, issuer, client_id }: Provider,
    { purpose, isFresh }: Pick<SsoRequest, 'purpose' | 'isFresh'>,
    now: Date,
  ): { readonly request: SsoRequest; readonly sealed: string } {
    const request = {
      ...{ id: newId(), tenantId: tenant_id, issuer, clientId: client_id, purpose, isFresh },
      // The app reads from the state which page the answer belongs to.
      state: `${purpose.kind === 'link' ? 'link' : 'login'}.${random()}`,
      nonce: random(),
      verifier: random(),
    }
    const text = JSON.stringify({ ...request, until: now.getTime() + SSO_SECONDS * 1000 })
    return { request, sealed: this.#seals.seal('sso', text).toString('base64url') }
  }

  /** Returns the request of a cookie; undefined if it is not genuine or has expired. */
  open(sealed: string, now: Date): SsoRequest | undefined {
    const text = this.#seals.open('sso', Buffer.from(sealed, 'base64url'))
    if (text === undefined) return undefined
    const { until, ...request } = JSON.parse(text)
    return now.getTime() < until ? request : undefined
  }
}

/** Returns the id under which a logout token counts as used. */
export function idOfToken(tenantId: string, jti: string): string {
  const digest = createHash('sha256').update(`${tenantId} ${jti}`).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
}

function random(): string {
  return randomBytes(32).toString('base64url')
}

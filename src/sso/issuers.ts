import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import type { Addresses } from '../webhooks/addresses.ts'
import { fetchFrom } from './issuer-fetch.ts'
import type { SsoRequest } from './sso-requests.ts'

/** A school's identity provider with its secret in plain text. */
export type OpenedProvider = {
  readonly tenant_id: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

/** The person whom an issuer vouches for. */
export type Vouched = {
  readonly subject: string
  /** The issuer's own session, which a back-channel logout may name. */
  readonly sid: string | null
  /** The time of the person's last login at the issuer, in seconds; undefined if it does not say. */
  readonly authTime: number | undefined
}

/** A response or token that is not accepted, with a reason for the log. */
export class SsoRefusal extends Error {}

const KEPT_MS = 10 * 60 * 1000
const MAX_KEPT = 500
const MAX_SUBJECT = 255
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

type Issuer = { readonly configuration: Configuration; readonly keys: ReturnType<typeof createRemoteJWKSet> }

/** The issuers of the schools, whose metadata and keys are kept for ten minutes. */
export class Issuers {
  readonly #fetch: ReturnType<typeof fetchFrom>
  readonly #known = new LRUCache<string, Promise<Issuer>>({ max: MAX_KEPT, ttl: KEPT_MS })

  constructor(addresses: Addresses) {
    this.#fetch = fetchFrom(addresses)
  }

  /** Reads an issuer's metadata. Throws if it cannot be reached or has another name. */
  async require(provider: OpenedProvider): Promise<void> {
    await this.#issuerOf(provider)
  }

  /** Returns the address at the issuer to which the browser goes. */
  async addressFor(provider: OpenedProvider, request: SsoRequest, callback: string): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const { configuration } = await this.#issuerOf(provider)
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(request.isFresh && { prompt: 'login', max_age: '0' }),
    })
    // A script's address from hostile metadata must not run in the app.
    if (url.protocol !== new URL(provider.issuer).protocol) throw new SsoRefusal('authorization_endpoint')
    return url.href
  }

  /** Exchanges the code of an issuer's response. Throws `SsoRefusal` for any that does not answer the request, and if the issuer cannot be read. */
  async redeem(
    provider: OpenedProvider,
    request: SsoRequest,
    { callback, parameters }: { readonly callback: string; readonly parameters: string },
  ): Promise<Vouched> {
    const { authorizationCodeGrant } = await library()
    const url = new URL(callback)
    url.search = parameters
    try {
      const { configuration } = await this.#issuerOf(provider)
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: request.state,
        expectedNonce: request.nonce,
        pkceCodeVerifier: request.verifier,
        idTokenExpected: true,
      })
      const { sub, sid, auth_time } = tokens.claims() ?? ({} as Readonly<Record<string, unknown>>)
      if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) throw new Error('sub')
      return {
        subject: sub,
        sid: typeof sid === 'string' && sid.length <= MAX_SUBJECT ? sid : null,
        authTime: typeof auth_time === 'number' ? auth_time : undefined,
      }
    } catch (error) {
      throw new SsoRefusal(reasonOf(error))
    }
  }

  /** Verifies a token of OpenID Connect Back-Channel Logout 1.0. Throws `SsoRefusal`. */
  async verifyLogout(
    provider: OpenedProvider,
    token: string,
    now: Date,
  ): Promise<{ readonly jti: string; readonly subject: string | null; readonly sid: string | null }> {
    try {
      const { keys } = await this.#issuerOf(provider)
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.client_id,
        algorithms: ALGORITHMS,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: '5 minutes',
        clockTolerance: 30,
        currentDate: now,
      })
      const { jti = '', sub = null, sid = null, events, nonce } = payload
      const event = (events as Readonly<Record<string, unknown>> | null)?.[LOGOUT_EVENT]
      if (typeof event !== 'object' || event === null) throw new Error('events')
      if (nonce !== undefined) throw new Error('nonce')
      if (jti === '' || (sid !== null && typeof sid !== 'string')) throw new Error('claims')
      if (sub === null && sid === null) throw new Error('nobody')
      return { jti, subject: sub, sid }
    } catch (error) {
      throw new SsoRefusal(reasonOf(error))
    }
  }

  #issuerOf(provider: OpenedProvider): Promise<Issuer> {
    const { tenant_id, issuer, client_id, client_secret } = provider
    const key = JSON.stringify([tenant_id, issuer, client_id, client_secret])
    const known = this.#known.get(key)
    if (known) return known
    const reading = this.#read(provider)
    this.#known.set(key, reading)
    // A failure is not kept, so that the next attempt asks again.
    reading.catch(() => this.#known.delete(key))
    return reading
  }

  async #read({ issuer, client_id, client_secret }: OpenedProvider): Promise<Issuer> {
    const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks, ...client } =
      await library()
    const url = new URL(issuer)
    const configuration = await discovery(url, client_id, {}, ClientSecretBasic(client_secret), {
      // Plain HTTP reaches only the networks that the operator has allowed.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
      [client.customFetch]: this.#fetch as never,
    })
    const { jwks_uri = '' } = configuration.serverMetadata()
    const keys = createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: this.#fetch as never })
    return { configuration, keys }
  }
}

/** Returns a reason for the log, without anything from the response. */
function reasonOf(error: unknown): string {
  if (error instanceof SsoRefusal) return error.message
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' ? code : String(message).slice(0, 100)
}

/** Loads the client on first use, because most schools have no identity provider. */
function library() {
  return import('openid-client')
}

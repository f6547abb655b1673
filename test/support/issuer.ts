import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export const CLIENT = { client_id: 'fahrplan', client_secret: 'a secret/of the client+' }

/** The parts of an answer or a token that a hostile issuer forges. */
export type Forgery = {
  readonly claims?: (claims: JWTPayload) => JWTPayload
  /** Signs the token in place of the issuer's key. */
  readonly sign?: (claims: JWTPayload) => Promise<string>
  /** Replaces the response of the token endpoint. */
  readonly respond?: (response: ServerResponse) => void
}

type Grant = {
  readonly nonce: string
  readonly challenge: string
  readonly redirect: string
  readonly subject: string
}

/** A small issuer of OpenID Connect on this machine, whose every part can be forged. */
export class TestIssuer {
  readonly url: string
  readonly #key: CryptoKey
  readonly #jwk: JWK
  readonly #grants = new Map<string, Grant>()
  readonly #close: () => Promise<void>
  /** Replaces parts of the metadata. */
  metadata: Readonly<Record<string, unknown>> = {}
  forgery: Forgery = {}
  /** The bodies that the token endpoint has received. */
  readonly asked: URLSearchParams[] = []

  private constructor(url: string, keys: { key: CryptoKey; jwk: JWK }, close: () => Promise<void>) {
    this.url = url
    this.#key = keys.key
    this.#jwk = keys.jwk
    this.#close = close
  }

  static async start(path = ''): Promise<TestIssuer> {
    const { privateKey: key, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    let issuer: TestIssuer | undefined
    const server = createServer((request, response) => void issuer?.answerTo(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
    issuer = new TestIssuer(`http://127.0.0.1:${port}${path}`, { key, jwk }, async () => {
      server.closeAllConnections()
      await close()
    })
    return issuer
  }

  close(): Promise<void> {
    return this.#close()
  }

  /** Lets a person log in at the address to which a browser was sent. Returns the query with which it comes back. */
  answer(url: string, subject: string): URLSearchParams {
    const asked = new URL(url).searchParams
    const code = randomUUID()
    const [nonce, challenge, redirect] = ['nonce', 'code_challenge', 'redirect_uri'].map(
      (name) => asked.get(name) ?? '',
    ) as [string, string, string]
    this.#grants.set(code, { nonce, challenge, redirect, subject })
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.url })
  }

  /** Signs a token with the issuer's key. */
  sign(claims: JWTPayload, typ = 'JWT'): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', typ }).sign(this.#key)
  }

  async answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.replace(new URL(this.url).pathname.replace(/\/$/, ''), '')
    if (path === '/.well-known/openid-configuration') return json(response, this.#described())
    if (path === '/jwks') return json(response, { keys: [this.#jwk] })
    if (path === '/token') return this.#redeem(request, response)
    response.writeHead(404).end()
  }

  #described() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      ...this.metadata,
    }
  }

  async #redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = new URLSearchParams(text)
    this.asked.push(body)
    if (this.forgery.respond) return this.forgery.respond(response)
    const code = body.get('code') ?? ''
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    const digest = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const { client_id, client_secret } = CLIENT
    const pair = [client_id, client_secret]
      .map((part) => encodeURIComponent(part).replaceAll('%20', '+'))
      .join(':')
    const isClient = request.headers.authorization === `Basic ${Buffer.from(pair).toString('base64')}`
    if (!grant || !isClient || digest !== grant.challenge || body.get('redirect_uri') !== grant.redirect)
      return json(response, { error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const honest: JWTPayload = {
      ...{ iss: this.url, aud: client_id, sub: grant.subject, nonce: grant.nonce, iat: now, exp: now + 60 },
      ...{
        auth_time: now,
        sid: `sid of ${grant.subject}`,
        email: 'office@nord.example',
        email_verified: true,
      },
    }
    const claims = this.forgery.claims?.(honest) ?? honest
    const id_token = await (this.forgery.sign?.(claims) ?? this.sign(claims))
    json(response, { access_token: 'unused', token_type: 'Bearer', id_token })
  }
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

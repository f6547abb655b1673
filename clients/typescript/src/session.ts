import { errorFor } from './error.ts'
import type { Credentials, Tokens } from './generated/types.gen.ts'

/** The address of the service, the login, and settings of the connection. */
export type ConnectionOptions = {
  /** The address of the service, such as `https://fahrplan.example`. */
  readonly url: string
  /** The login of a script. It is used with the first request, and again when the session has ended. */
  readonly login?: Credentials
  /** The tokens of a session that has begun before. */
  readonly tokens?: Pick<Tokens, 'token' | 'refresh_token'>
  /** Called with new tokens, to store them: an old refresh token is of no use any more. */
  readonly onTokens?: (tokens: Tokens) => void
  /** Another `fetch`, such as one with a proxy. */
  readonly fetch?: typeof fetch
}

type SessionOptions = ConnectionOptions & { readonly fetch: typeof fetch }

/** The addresses that need no token, and are not helped by another one. */
const WITHOUT_TOKEN = /\/api\/v1\/auth\/(login|refresh|invitations|password-resets|email-changes)(\/|$)/

/** The tokens of a login. Requests that find them expired at the same time wait for one renewal. */
export class Session {
  readonly #options: SessionOptions
  #tokens: Pick<Tokens, 'token' | 'refresh_token'> | undefined
  #renewal: Promise<void> | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#tokens = options.tokens
  }

  /** Sends a request with a token: a new one if there is none yet, or if the service no longer accepts the last. */
  async send(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
    if (WITHOUT_TOKEN.test(new URL(request.url).pathname) || request.headers.has('authorization'))
      return send(request)
    if (!this.#tokens && this.#options.login) await this.#renew(undefined)
    const used = this.#tokens
    const second = request.clone()
    const response = await send(withToken(request, used?.token))
    if (!used || !(await isExpired(response))) return response
    await this.#renew(used)
    await response.body?.cancel()
    return send(withToken(second, this.#tokens?.token))
  }

  /** Replaces the tokens, unless another request has done so since. */
  async #renew(used: Pick<Tokens, 'token' | 'refresh_token'> | undefined): Promise<void> {
    if (this.#tokens !== used) return
    this.#renewal ??= this.#newTokens(used).finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
  }

  async #newTokens(used: Pick<Tokens, 'token' | 'refresh_token'> | undefined): Promise<void> {
    const { login, onTokens } = this.#options
    const tokens =
      (used && (await this.#ask('refresh', { refresh_token: used.refresh_token }, Boolean(login)))) ??
      (await this.#ask('login', login, false))
    if (!tokens) return
    this.#tokens = tokens
    onTokens?.(tokens)
  }

  /** Returns new tokens. A refusal is an error, or undefined if there is another way. */
  async #ask(door: 'refresh' | 'login', body: unknown, hasOther: boolean): Promise<Tokens | undefined> {
    const { url, fetch: send } = this.#options
    const response = await send(`${url.replace(/\/$/, '')}/api/v1/auth/${door}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.ok) return (await response.json()) as Tokens
    if (hasOther && response.status === 401) return undefined
    throw errorFor(await response.json().catch(() => undefined), response)
  }
}

/** Whether the service does not accept the token, rather than a password in the body. */
async function isExpired(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined
  return body?.code === 'unauthenticated'
}

function withToken(request: Request, token: string | undefined): Request {
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

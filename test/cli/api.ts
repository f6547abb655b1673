/** An answer of a service that runs in another process. */
export type Reply<Body = unknown> = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

type Headings = Readonly<Record<string, string>>
export type Tokens = { readonly token: string; readonly refresh_token: string }
export type Row = { readonly id: string } & Readonly<Record<string, unknown>>

/** Speaks to a service over HTTP; paths are relative to the API. A request without an answer is an error. */
export class Api {
  readonly url: string
  readonly #token: string | undefined

  constructor(url: string, token?: string) {
    this.url = url
    this.#token = token
  }

  /** The same API for a user who logs in; throws if the login is refused. */
  async loggedIn(email: string, password: string): Promise<Api> {
    const { status, text, body } = await this.logIn(email, password)
    if (status !== 200) throw new Error(`the login of ${email} was answered ${status}: ${text}`)
    return new Api(this.url, body.token)
  }

  logIn(email: string, password: string): Promise<Reply<Tokens>> {
    return this.send('POST', '/auth/login', { email, password })
  }

  get<Body = unknown>(path: string, headers?: Headings): Promise<Reply<Body>> {
    return this.send('GET', path, undefined, headers)
  }

  post<Body = Row>(path: string, body: unknown): Promise<Reply<Body>> {
    return this.send('POST', path, body)
  }

  async send<Body>(method: string, path: string, body?: unknown, headers?: Headings): Promise<Reply<Body>> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
    }
  }
}

/** The status of a page beside the API, such as `/readyz`. */
export async function statusOf(url: string, page: string): Promise<number> {
  const response = await fetch(`${url}${page}`, { signal: AbortSignal.timeout(30_000) })
  await response.text()
  return response.status
}

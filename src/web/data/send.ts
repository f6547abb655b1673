import type { ProblemBody } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-messages.ts'

/** The address of the API: on the app's host unless `VITE_API_URL` names another. */
const API = `${import.meta.env.VITE_API_URL ?? ''}/api/v1`

const LONGEST_WAIT_MS = 20_000

export class ApiProblem extends Error {
  readonly body: ProblemBody
  readonly retryAfterSeconds: number | undefined

  constructor(body: ProblemBody, retryAfterSeconds?: number) {
    super(body.detail)
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether a retry would fail too; false for overload, internal errors and `request_in_progress`. */
  get isFinal(): boolean {
    return this.body.status < 429 && !this.is('request_in_progress')
  }

  is(code: ProblemCode): boolean {
    return this.body.code === code
  }
}

/** The error if there is no response: the network or the service is down. */
export class Unreachable extends Error {}

export type SendOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The timeout in milliseconds. */
  readonly longestWait?: number
}

/** Sends one request with cookies. Returns 304 like a success. Throws `ApiProblem` or `Unreachable`. */
export async function send(
  path: string,
  { method = 'GET', body, headers, signal, longestWait = LONGEST_WAIT_MS }: SendOptions = {},
) {
  const timeout = AbortSignal.timeout(longestWait)
  const answer = await fetch(`${API}${path}`, {
    method,
    credentials: 'include',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Unreachable()
  })
  if (answer.ok || answer.status === 304) return answer
  throw await problemOf(answer)
}

/** Returns the JSON of a response. Throws `Unreachable` if the connection breaks inside it. */
export async function bodyOf<T>(answer: Response, signal?: AbortSignal): Promise<T> {
  return answer.json().catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Unreachable()
  })
}

async function problemOf(answer: Response): Promise<Error> {
  const body: ProblemBody | undefined = await answer.json().catch(() => undefined)
  // The response is a proxy's, not the service's.
  if (typeof body?.code !== 'string') return new Unreachable()
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(body, Number.isFinite(wait) ? wait : undefined)
}

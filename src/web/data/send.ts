import type { ProblemBody, ProblemCode } from '../../contract/problem.ts'

/** The service beside which the app was built; its own host unless `VITE_API_URL` names another. */
const API = `${import.meta.env.VITE_API_URL ?? ''}/api/v1`

const LONGEST_WAIT_MS = 20_000

/** An error response of the service. */
export class ApiProblem extends Error {
  readonly body: ProblemBody
  readonly retryAfterSeconds: number | undefined

  constructor(body: ProblemBody, retryAfterSeconds?: number) {
    super(body.detail)
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether it will be the same the next time: not that the service is overloaded, broken, at work, or asks to wait. */
  get isFinal(): boolean {
    return this.body.status < 429 && !this.is('request_in_progress')
  }

  is(code: ProblemCode): boolean {
    return this.body.code === code
  }
}

/** No answer came: the network or the service is away. */
export class Unreachable extends Error {}

export type SendOptions = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One request, with the session's cookies. Throws `ApiProblem` or `Unreachable`; 304 is an answer. */
export async function send(path: string, { method = 'GET', body, headers, signal }: SendOptions = {}) {
  const timeout = AbortSignal.timeout(LONGEST_WAIT_MS)
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

async function problemOf(answer: Response): Promise<Error> {
  const body: ProblemBody | undefined = await answer.json().catch(() => undefined)
  // A proxy that answers in the service's place does not speak its language.
  if (typeof body?.code !== 'string') return new Unreachable()
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(body, Number.isFinite(wait) ? wait : undefined)
}

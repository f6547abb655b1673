import type { Fault, Problem, Refusal } from './generated/types.gen.ts'

/** The codes of problems that this version of the client knows. */
export type KnownProblemCode = Problem['code']

/** The codes of the rules that refuse a booking. */
export type RefusalCode = Refusal['code']

type ParamsOf<Code extends KnownProblemCode> = Code extends RefusalCode
  ? Extract<Refusal, { code: Code }>['params']
  : Problem['params']

/** A failure that the service has explained. Everything else, such as a lost network, is the error of `fetch`. */
export class FahrplanError<Code extends KnownProblemCode = KnownProblemCode> extends Error {
  override readonly name = 'FahrplanError'
  /** The HTTP status. */
  readonly status: number
  /** The stable code to branch on; a newer service may send one that this version does not know. */
  readonly code: Code
  /** The numbers for the code. */
  readonly params: ParamsOf<Code>
  /** The faults of a 400, with the field of each. */
  readonly errors: readonly Fault[]
  /** The id under which the service has logged the request. */
  readonly requestId: string
  /** The seconds after which a retry may succeed, if the service named them. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem, response: Response) {
    super(problem.detail)
    this.status = problem.status
    this.code = problem.code as Code
    this.params = problem.params as ParamsOf<Code>
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }

  /** Whether an error is a problem with this code, and so with its params. */
  static is<Code extends KnownProblemCode>(error: unknown, code: Code): error is FahrplanError<Code> {
    return error instanceof FahrplanError && error.code === code
  }
}

/** Returns the failure of a response: the service's problem, or a text where something before the service answered. */
export function errorFor(body: unknown, response: Response | undefined): unknown {
  if (!response || body instanceof Error) return body
  if (isProblem(body)) return new FahrplanError(body, response)
  return new Error(`The response is a ${response.status} without a problem.`, { cause: body })
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'request_id' in body
}

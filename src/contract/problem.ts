import { type Static, Type } from 'typebox'
import type { Verdict } from '../domain/booking.ts'
import type { RefusalCode } from '../domain/refusal.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'
import * as example from './examples.ts'

/** One thing wrong with a request: where (`/field` of the body, `?name` of the query), what, and a sentence. */
export const FaultSchema = Type.Object(
  { pointer: Type.String(), code: Type.String(), detail: Type.String() },
  { $id: 'Fault' },
)
export type Fault = Static<typeof FaultSchema>

/** The body of every failure, with the member names of RFC 9457. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Address of the explanation, relative to the service.' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable; decide on this.' }),
    detail: Type.String({ description: 'One sentence for a person.' }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The numbers behind the code.' }),
    ),
    errors: Type.Optional(
      Type.Array(Type.Unsafe<Fault>({ $ref: 'Fault#' }), { description: 'Every fault of a 400.' }),
    ),
    request_id: Type.String({ description: 'The same id stands in the log.' }),
  },
  { $id: 'Problem', examples: [example.problem] },
)
export type ProblemBody = Static<typeof ProblemSchema>

export type ProblemCode =
  | RefusalCode
  | 'invalid_request'
  | 'malformed_json'
  | 'unauthenticated'
  | 'invalid_credentials'
  | 'invalid_refresh_token'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'stale'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable'

type ProblemDetails = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly errors?: readonly Fault[]
  /** Answer headers that belong to the code, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** V8's own, unknown to the types of a browser. */
const engine = Error as object as { stackTraceLimit?: number }

/** What HTTP says no with: thrown once, mapped once. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly params: Readonly<Record<string, unknown>> | undefined
  readonly errors: readonly Fault[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, { params, errors, headers }: ProblemDetails = {}) {
    // An expected "no" is said thousands of times a second, and nobody asks where it came from.
    const { stackTraceLimit } = engine
    engine.stackTraceLimit = 0
    super(code)
    engine.stackTraceLimit = stackTraceLimit
    this.code = code
    this.params = params
    this.errors = errors
    this.headers = headers ?? {}
  }
}

/** The answer for what does not exist, is deleted, or belongs to another tenant: one and the same. */
export function notFound(): Problem {
  return new Problem('not_found')
}

/** Every fault of a request at once. */
export function invalidRequest(errors: readonly Fault[]): Problem {
  return new Problem('invalid_request', { errors })
}

/** The overrides that an accepted proposal uses. Throws the problem of the first rule that it breaks. */
export function requireAccepted({ refusals: [refusal], overrides_used }: Verdict): OverrideUsed[] {
  if (refusal) throw new Problem(refusal.code, { params: refusal.params })
  return [...overrides_used]
}

/** The database or the queue before it is overloaded or away; worth another try. */
export function unavailable(retryAfterSeconds = 1): Problem {
  return new Problem('unavailable', { headers: { 'retry-after': String(retryAfterSeconds) } })
}

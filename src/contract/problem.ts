import { type Static, Type } from 'typebox'
import type { Verdict } from '../domain/booking.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'
import * as example from './examples.ts'
import type { ProblemCode } from './problem-messages.ts'

/** A fault of a request: its place (`/field` of the body, `?name` of the query), code and message. */
export const FaultSchema = Type.Object(
  {
    pointer: Type.String({
      description:
        'The place of the fault: `/field` in the body, `?name` in the query, or the name of a header.',
    }),
    code: Type.String({ description: 'A stable code for the kind of fault, such as `required`.' }),
    detail: Type.String({ description: 'An explanation for people, in one sentence.' }),
  },
  { $id: 'Fault', description: 'One fault of a request.' },
)
export type Fault = Static<typeof FaultSchema>

/** The body of every failure, with the member names of RFC 9457. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'The path of the explanation.' }),
    title: Type.String({ description: 'The name of the problem, the same for every `code`.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    code: Type.String({
      description:
        'The stable code of the problem; clients should branch on it, and expect that later versions add codes.',
    }),
    detail: Type.String({ description: 'An explanation for people, in one sentence.' }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The numbers for the code; `{}` where it has none. For a broken rule, those of the schema `Refusal`; of several lessons also the one that breaks it, as `appointment_index`, `decision_appointment_id` or `proposed_id`.',
    }),
    errors: Type.Optional(
      Type.Array(Type.Unsafe<Fault>({ $ref: 'Fault#' }), {
        description: 'The faults of a 400: all, or the first 100 and then one whose code is `more_faults`.',
      }),
    ),
    request_id: Type.String({ description: 'The id of the request, as in the log and in `X-Request-Id`.' }),
  },
  {
    $id: 'Problem',
    description: 'The body of every failure, with the member names of RFC 9457.',
    examples: [example.problem],
  },
)
export type ProblemBody = Static<typeof ProblemSchema>

type ProblemDetails = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly errors?: readonly Fault[]
  /** All broken rules. The problem's code is that of the first. */
  readonly refusals?: readonly Refusal[]
  /** The wait after which a retry may succeed. */
  readonly retryAfterSeconds?: number
}

/** A property of V8, which the types of browsers lack. */
const engine = Error as object as { stackTraceLimit?: number }

/** An error response, thrown anywhere and converted to HTTP in one place. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly params: Readonly<Record<string, unknown>> | undefined
  readonly errors: readonly Fault[] | undefined
  readonly refusals: readonly Refusal[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, { params, errors, refusals, retryAfterSeconds }: ProblemDetails = {}) {
    // Expected refusals are thrown thousands of times a second and need no stack trace.
    const { stackTraceLimit } = engine
    engine.stackTraceLimit = 0
    super(code)
    engine.stackTraceLimit = stackTraceLimit
    this.code = code
    this.params = params
    this.errors = errors
    this.refusals = refusals
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Returns the same problem for anything missing, deleted, or of another tenant. */
export function notFound(): Problem {
  return new Problem('not_found')
}

/** The maximum faults in a response. A body may have tens of thousands. */
export const MAX_FAULTS = 100

const MORE_FAULTS: Fault = {
  pointer: '',
  code: 'more_faults',
  detail: `There are more faults than the ${MAX_FAULTS} that are listed.`,
}

/** Returns a problem with all faults, or with the first `MAX_FAULTS` and the fault `more_faults`. */
export function invalidRequest(faults: readonly Fault[]): Problem {
  const errors = faults.length > MAX_FAULTS ? [...faults.slice(0, MAX_FAULTS), MORE_FAULTS] : faults
  return new Problem('invalid_request', { errors })
}

/** Returns the overrides of an accepted proposal. Throws the problem of the first broken rule. */
export function requireAccepted({ refusals, overrides_used }: Verdict): OverrideUsed[] {
  const [refusal] = refusals
  if (refusal) throw new Problem(refusal.code, { params: refusal.params, refusals })
  return [...overrides_used]
}

/** Returns the problem of an overloaded or unreachable database or queue. A retry may succeed. */
export function unavailable(retryAfterSeconds = 1): Problem {
  return new Problem('unavailable', { retryAfterSeconds })
}

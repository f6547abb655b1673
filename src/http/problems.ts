import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  invalidRequest,
  Problem,
  type ProblemBody,
  type ProblemCode,
  unavailable,
} from '../contract/problem.ts'
import { sqlStateOf } from '../db/transaction.ts'
import { BASE_HEADERS } from './base-headers.ts'
import { SHED } from './shed-requests.ts'

type Explanation = { readonly status: number; readonly title: string; readonly detail: string }

/** The only table of codes, statuses and words. `{name}` stands for a parameter. */
export const PROBLEMS: Readonly<Record<ProblemCode, Explanation>> = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'The request has faults; `errors` lists them.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not JSON as RFC 8259 defines it: {reason}.',
  },
  unauthenticated: { status: 401, title: 'Unauthenticated', detail: 'A valid access token is needed.' },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    detail: 'The e-mail address or the password is wrong.',
  },
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    detail: 'The refresh token is unknown, used, revoked or expired.',
  },
  forbidden: { status: 403, title: 'Forbidden', detail: 'Your role does not allow that.' },
  not_found: { status: 404, title: 'Not found', detail: 'There is no such thing here.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not take that method; `Allow` lists those it takes.',
  },
  request_timeout: { status: 408, title: 'Request timeout', detail: 'The request did not arrive in time.' },
  already_decided: {
    status: 409,
    title: 'Already decided',
    detail: 'The request is {status}, and is decided only once.',
  },
  instructor_inactive: { status: 409, title: 'Instructor inactive', detail: 'The instructor is not active.' },
  instructor_busy: {
    status: 409,
    title: 'Instructor busy',
    detail: 'The instructor has another appointment from {start_at} to {end_at}.',
  },
  student_busy: {
    status: 409,
    title: 'Student busy',
    detail: 'The student has another appointment from {start_at} to {end_at}.',
  },
  instructor_on_vacation: {
    status: 409,
    title: 'Instructor on vacation',
    detail: 'The instructor is on vacation from {start_date} to {end_date}.',
  },
  outside_availability: {
    status: 409,
    title: 'Outside availability',
    detail: 'The appointment lies outside the working windows of {date}.',
  },
  daily_limit_exceeded: {
    status: 409,
    title: 'Daily limit exceeded',
    detail:
      'On {date} {booked_units} units are booked; {requested_units} more would pass the limit of {limit_units} (override: {override_units}).',
  },
  weekly_limit_exceeded: {
    status: 409,
    title: 'Weekly limit exceeded',
    detail:
      'In the week from {week_start} {booked_units} units are booked; {requested_units} more would pass the limit of {limit_units} (override: {override_units}).',
  },
  break_too_short: {
    status: 409,
    title: 'Break too short',
    detail:
      'Only {gap_minutes} minutes lie between this and the next appointment; {required_minutes} are required.',
  },
  continuous_minutes_exceeded: {
    status: 409,
    title: 'Continuous minutes exceeded',
    detail:
      'From {start_at} to {end_at} the instructor would work {minutes} minutes without a break; at most {limit_minutes} are allowed.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    detail: 'The request with this `Idempotency-Key` is still under way; send it again in a moment.',
  },
  stale: {
    status: 412,
    title: 'Stale',
    detail: 'It has changed since you read it: `If-Match` names another version.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    detail: 'The body is larger than this address takes.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The body must be `application/json`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    detail: 'Another request was sent with this `Idempotency-Key`: another body, or to another address.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many attempts; try again in {retry_after_seconds} seconds.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The headers are larger than this service takes.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'Something failed here; the log has it under the request id.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    detail: 'The service is overloaded or its database is away; try again.',
  },
}

/** The body of a problem, as RFC 9457 names its members. */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { status, title, detail } = PROBLEMS[problem.code]
  return {
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: detail.replace(/\{(\w+)\}/g, (_, name: string) => String(problem.params?.[name] ?? 'none')),
    ...(problem.params ? { params: problem.params } : {}),
    ...(problem.errors ? { errors: [...problem.errors] } : {}),
    request_id: requestId,
  }
}

/** Answers any error: a problem as it says, what the framework or the database refused as its problem, the rest as 500. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = error instanceof Problem ? error : problemFor(error, request)
  const { status } = PROBLEMS[problem.code]
  if (status >= 500 && error !== SHED)
    request.log.error({ err: error, event: problem.code }, 'request failed')
  if (status === 401 && problem.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  // An address that cannot be decoded is refused before any hook.
  if (!reply.hasHeader('x-request-id')) reply.headers({ ...BASE_HEADERS, 'x-request-id': request.id })
  // The rest of the body is still on its way.
  if (status === 408 || status === 413) reply.header('connection', 'close')
  const { retryAfterSeconds } = problem
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(status)
    .type(
      `${prefersProblemJson(request.headers.accept) ? 'application/problem+json' : 'application/json'}; charset=utf-8`,
    )
    .send(JSON.stringify(problemBody(problem, request.id)))
}

const FRAMEWORK: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
}

/** SQLSTATE classes and codes that say "not now": connection, resources, shutdown, read-only, lock and statement timeouts. */
const NOT_NOW = /^(?:08|53|57P|57014|55P03|25006|25P03|40001|40P01)/
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])
const POOL =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered/

function problemFor(error: unknown, { raw }: FastifyRequest): Problem {
  // Who leaves before all is said resets a connection, too; nobody hears the answer.
  if (raw.destroyed && !raw.complete) return new Problem('request_timeout')
  const code = sqlStateOf(error) ?? ''
  const framework = FRAMEWORK[code]
  if (framework === 'invalid_request') {
    return invalidRequest([
      { pointer: '', code: 'invalid_format', detail: 'The address or a length cannot be read.' },
    ])
  }
  if (framework) return new Problem(framework)
  const message = error instanceof Error ? error.message : ''
  if (NOT_NOW.test(code) || NETWORK.has(code) || POOL.test(message)) return unavailable()
  return new Problem('internal_error')
}

/** Whether the client ranks problem+json above json. */
function prefersProblemJson(accept = ''): boolean {
  const quality = (type: string) => {
    const entry = accept
      .toLowerCase()
      .split(',')
      .find((one) => one.trim().startsWith(type))
    if (entry === undefined) return 0
    return Number(/;\s*q=([\d.]+)/.exec(entry)?.[1] ?? 1)
  }
  const problem = quality('application/problem+json')
  return problem > 0 && problem >= quality('application/json')
}

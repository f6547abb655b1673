import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest, Problem, type ProblemBody, unavailable } from '../../contract/problem.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problem-messages.ts'
import { sqlStateOf } from '../../db/connection/transaction.ts'
import { SHED, STOPPING } from '../load/shed-requests.ts'
import { BASE_HEADERS } from './base-headers.ts'

/** Returns the body of a problem with the field names of RFC 9457. */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { status, title, detail, detailWithParams = detail } = PROBLEMS[problem.code]
  const text = problem.params ? detailWithParams : detail
  return {
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: text.replace(/\{(\w+)\}/g, (_, name: string) => textFor(problem, name)),
    params: problem.params ?? {},
    ...(problem.errors ? { errors: [...problem.errors] } : {}),
    request_id: requestId,
  }
}

/** Returns a param as text. `start` and `end` stand for the dates of a vacation or the times of an absence. */
function textFor({ params = {}, retryAfterSeconds = 0 }: Problem, name: string): string {
  if (name === 'wait') return waitText(retryAfterSeconds)
  return String(params[name] ?? params[`${name}_date`] ?? params[`${name}_at`] ?? 'none')
}

/** Returns seconds up to two minutes, minutes beyond. */
function waitText(seconds: number): string {
  if (seconds <= 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Sends an error as a problem. Known errors of the framework and database have a code, all others are a 500. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = refuse(error, request, reply)
  return reply
    .type(
      `${prefersProblemJson(request.headers.accept) ? 'application/problem+json' : 'application/json'}; charset=utf-8`,
    )
    .send(JSON.stringify(problemBody(problem, request.id)))
}

/** The headers to remove when a problem replaces a response. */
const OF_AN_ANSWER = [
  'etag',
  'link',
  'location',
  'content-disposition',
  'content-encoding',
  'content-length',
  'idempotency-replayed',
]

/** The problems that are no alarm: they are logged in another way, or part of a stop that somebody has begun. */
const EXPECTED: ReadonlySet<unknown> = new Set([SHED, STOPPING])

/** Sets status and headers, and logs. Returns the problem. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const problem = error instanceof Problem ? error : problemFor(error, request)
  const { status } = PROBLEMS[problem.code]
  for (const name of OF_AN_ANSWER) reply.removeHeader(name)
  if (status >= 500 && !EXPECTED.has(error))
    request.log.error({ err: error, event: problem.code }, 'request failed')
  if (status === 401 && problem.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  // Fastify rejects an undecodable URL before any hook runs.
  if (!reply.hasHeader('x-request-id')) reply.headers({ ...BASE_HEADERS, 'x-request-id': request.id })
  // The rest of the body may still arrive on this connection.
  if (status === 408 || status === 413) reply.header('connection', 'close')
  const { retryAfterSeconds } = problem
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  reply.code(status)
  return problem
}

const FRAMEWORK: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
}

/** The SQLSTATEs worth a retry: connection, resources, shutdown, read-only, lock and statement timeouts. */
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
/** The errors without an SQLSTATE: the pool's, and a Citus coordinator's that loses a worker during a commit. */
const LOST =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered|could not commit transaction for shard/

function problemFor(error: unknown, { raw }: FastifyRequest): Problem {
  // Also true for a client that has left early, which never sees this response.
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
  if (NOT_NOW.test(code) || NETWORK.has(code) || LOST.test(message)) return unavailable()
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

import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { ref } from '../../contract/fields.ts'
import { ProblemSchema } from '../../contract/problem.ts'

/** The problems of every route: faulty requests, late ones, long headers, internal errors, overload. */
const ALWAYS = [400, 408, 431, 500, 503] as const

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request has faults; `errors` lists them all. Or the body is not JSON: `malformed_json`.',
  401: 'The credentials are missing, wrong, expired or revoked.',
  403: 'The role does not allow it (`forbidden`), nor does the API token (`insufficient_scope`), or you must first confirm that it is you (`proof_required`).',
  404: 'A resource that the request names does not exist, is deleted or belongs to another school.',
  408: 'The request did not arrive in time.',
  409: 'The request conflicts with stored data or a rule: `code` names the rule, `params` holds its numbers. With an `Idempotency-Key` also `request_in_progress`.',
  412: 'The resource has changed since you read it: `If-Match` names another version.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  422: 'Another request was sent with this `Idempotency-Key`.',
  429: 'Too many attempts; wait for `Retry-After` seconds.',
  431: 'The headers are too large.',
  500: 'An unexpected failure; the log has it under the `request_id`.',
  503: 'The service is overloaded or its database is away; try again after `Retry-After` seconds.',
}

const problem = ref(ProblemSchema)

/** Returns the responses of a route: success, described by its `returns`, and the problems by status. */
export function responses<T extends Record<number, TSchema>>(success: T, ...refusals: number[]): T {
  const problems = [...ALWAYS, ...refusals].map((status) => [
    status,
    {
      description: REASONS[status],
      content: { 'application/json': { schema: problem }, 'application/problem+json': { schema: problem } },
    },
  ])
  return { ...success, ...Object.fromEntries(problems) }
}

/** Returns the responses of a GET with an entity tag: the resource, or 304. */
export function readable<T extends TSchema>(schema: T, ...refusals: number[]) {
  return responses({ 200: schema, 304: noContent('You have the current version') }, ...refusals)
}

export function noContent(description: string): TSchema {
  return Type.Null({ description: `${description}.` })
}

/** Responds with 204 once the work is done. */
export async function sendNoContent(reply: FastifyReply, work?: Promise<unknown>): Promise<null> {
  await work
  reply.code(204)
  return null
}

/** The problems of every route but GET, even if it takes no body. */
export const BODY = [413, 415] as const

import { type TSchema, Type } from 'typebox'
import { ref } from '../contract/fields.ts'
import { ProblemSchema } from '../contract/problem.ts'

/** The problems that any route can answer: a fault of the query, too long headers or waits, a failure here. */
const ALWAYS = [400, 408, 431, 500, 503] as const

const REASONS: Readonly<Record<number, string>> = {
  400: 'Faults of the request, listed in `errors`',
  401: 'No valid credentials',
  403: 'The role of the user does not allow it',
  404: 'It does not exist, is deleted, or belongs to another tenant',
  408: 'The request did not arrive in time',
  409: 'The calendar does not allow it, and `code` and `params` say which rule and by what numbers; or the same request is still under way',
  412: 'It has changed since it was read',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'The `Idempotency-Key` was sent with another request',
  429: 'Too many attempts; `Retry-After` says how long to wait',
  431: 'The headers are too large',
  500: 'An unexpected failure',
  503: 'Overloaded, or the database is away; `Retry-After` says when to try again',
}

const SUCCESSES: Readonly<Record<number, string>> = {
  200: 'As asked',
  201: 'Made; `Location` is its address',
}

const problem = ref(ProblemSchema)

/** The answers of a route: what success looks like, and every status it can refuse with. */
export function answers<T extends Record<number, TSchema>>(success: T, ...refusals: number[]): T {
  const problems = [...ALWAYS, ...refusals].map((status) => [
    status,
    {
      description: REASONS[status],
      content: { 'application/json': { schema: problem }, 'application/problem+json': { schema: problem } },
    },
  ])
  const described = Object.entries(success).map(([status, schema]) => [
    status,
    { description: SUCCESSES[Number(status)], ...schema },
  ])
  return { ...success, ...Object.fromEntries([...described, ...problems]) }
}

/** An answer without a body. */
export function empty(description: string): TSchema {
  return Type.Null({ description })
}

/** The statuses of a route that reads a body. */
export const BODY = [413, 415] as const

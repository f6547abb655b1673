import { type TSchema, Type } from 'typebox'
import { closed, ref } from '../contract/fields.ts'
import { idempotencyKey } from './requests/idempotency.ts'
import { ifMatch } from './responses/entity-tag.ts'
import { pageParameters } from './responses/list-reply.ts'
import type { ResponseHeader } from './responses/response-headers.ts'
import { BODY, noContent, readable, responses } from './responses/responses.ts'

/** Returns the schema of a list: paging and the filters of the resource. */
export function lists<Item extends TSchema, Filters extends Record<string, TSchema>>(
  item: Item,
  filters: Filters,
  ...refusals: number[]
) {
  return {
    querystring: closed({ ...filters, ...pageParameters }),
    response: readable(Type.Array(ref(item)), 401, ...refusals),
  }
}

/** Returns the schema of creating a resource: an idempotency key, and the resource with its address and tag. */
export function creates<Body extends TSchema, Made extends TSchema>(
  body: Body,
  made: Made,
  ...refusals: number[]
) {
  const sends: readonly ResponseHeader[] = ['Location', 'ETag']
  const response = responses({ 201: ref(made) }, 401, 409, 422, ...refusals, ...BODY)
  return { headers: idempotencyKey, body: ref(body), sends, response }
}

/** Returns the schema of changing a resource: the expected version, and the resource with its tag. */
export function changes<Body extends TSchema, Changed extends TSchema>(
  body: Body,
  changed: Changed,
  ...refusals: number[]
) {
  const sends: readonly ResponseHeader[] = ['ETag']
  const response = responses({ 200: ref(changed) }, 401, 403, 412, ...refusals, ...BODY)
  return { headers: ifMatch, body: ref(body), sends, response }
}

export function deletes(outcome: string, ...refusals: number[]) {
  const response = responses({ 204: noContent(outcome) }, 401, 403, 404, 412, ...refusals, ...BODY)
  return { headers: ifMatch, response }
}

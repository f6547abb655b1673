import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { executeOnce, type IdempotentResult } from '../../booking/idempotent.ts'
import type { SharedLink } from '../../booking/users/share-link.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { Problem } from '../../contract/problem.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { sendJson, sendVersioned } from '../responses/entity-tag.ts'
import type { Service } from '../service.ts'

/** The header of a POST that creates something at most once per key. */
export const idempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]*$',
      description:
        'A unique text of your choice. For 24 hours a repeated request with the same key gets the first response, with `Idempotency-Replayed: true`, and does nothing. A refused request may be repeated.',
    }),
  ),
})

/** Executes a request once per key. Throws as `whileRunning` and `executeOnce` do. */
export async function makeOnce<T>(
  service: Service,
  request: FastifyRequest,
  make: (key: IdempotencyKey | undefined) => Promise<T>,
): Promise<IdempotentResult<T>> {
  return whileRunning(service, request, (key) => executeOnce(service.db, request.actor, key, () => make(key)))
}

/** Runs a request under its key, if any. Throws `request_in_progress` if this process is running another with that key. */
export async function whileRunning<T>(
  { runningKeys }: Service,
  request: FastifyRequest,
  work: (key: IdempotencyKey | undefined) => Promise<T>,
): Promise<T> {
  const key = keyOf(request)
  if (!key) return work(undefined)
  const name = `${key.user_id} ${key.key}`
  if (runningKeys.has(name)) throw new Problem('request_in_progress', { retryAfterSeconds: 1 })
  runningKeys.add(name)
  return work(key).finally(() => runningKeys.delete(name))
}

/** Creates a resource once per key. Responds with 201, the resource, its address and its tag. */
export async function sendMade<T extends { readonly id: string; readonly version: number }>(
  service: Service,
  reply: FastifyReply,
  make: (key: IdempotencyKey | undefined) => Promise<T>,
): Promise<T | FastifyReply | undefined> {
  const { request } = reply
  const result = await makeOnce(service, request, make)
  const { value } = result
  reply.code(201).header('location', `${request.routeOptions.url}/${value.id}`)
  const sent = sendVersioned(reply, value)
  return sendIdempotentResult(reply, { ...result, value: sent })
}

/** Creates a secret link once per key. The stored response has the sealed address, so a retry gets the same link. */
export async function sendLink(
  service: Service,
  reply: FastifyReply,
  make: (key: IdempotencyKey | undefined) => Promise<SharedLink>,
): Promise<{ readonly url: string }> {
  const { value, json } = await makeOnce(service, reply.request, make)
  if (json !== undefined) reply.header('idempotency-replayed', 'true')
  return { url: service.linkSeals.open(value.holder_id, value.sealed_url) }
}

/** Sends a result. A retry gets the first response's text, possibly that of an older release. */
export function sendIdempotentResult<T>(
  reply: FastifyReply,
  { value, json }: IdempotentResult<T>,
): T | FastifyReply {
  if (json === undefined) return value
  return sendJson(reply.header('idempotency-replayed', 'true'), json)
}

function keyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const { actor, headers, method, body } = request
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || actor.id === null) return undefined
  // An instructor's response has lessons that the user may not see as another instructor, or in another role.
  const seenBy = actor.role === 'instructor' ? `${actor.instructor_id} ` : ''
  const content = `${seenBy}${method} ${urlOf(request)} ${canonicalJson(body)}`
  const request_hash = hash('sha256', content, 'buffer')
  return { user_id: actor.id, key, part: 0, request_hash }
}

/** Returns the route's pattern with the parameters of the path. */
function urlOf({ routeOptions: { url }, params }: FastifyRequest): string {
  const hasParams = Object.keys(params ?? {}).length > 0
  return hasParams ? `${url} ${canonicalJson(params)}` : `${url}`
}

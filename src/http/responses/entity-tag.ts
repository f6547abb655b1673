import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ExpectedVersion } from '../../booking/expected-version.ts'

/** The entity tag of a stored version. */
function entityTag(version: number): string {
  return `"${version}"`
}

/** The entity tag of a text or its bytes: a hash of the bytes. */
export function contentTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url')}"`
}

const ROWS = '"rows.'

/** The entity tag of what is too long to be hashed before it is sent: of what its parts are known by. */
export function rowsTag(digests: readonly string[]): string {
  return `${ROWS}${hash('sha256', JSON.stringify(digests), 'base64url')}"`
}

/** Whether the client has read something long: then its rows are looked at before they are built. */
export function knowsRows(request: FastifyRequest): boolean {
  return request.headers['if-none-match']?.includes(ROWS) ?? false
}

/** The tag of the same thing in a content coding: `"7"` becomes `"7.gzip"`, which no hash ends with. */
export function codedTag(tag: string, coding: string): string {
  return tag.replace(/"$/, `.${coding}"`)
}

/** The tag without its coding: what a client has read in one way or the other is the same version. */
function uncoded(tag: string): string {
  return tag.replace(/\.(br|gzip)"$/, '"')
}

/** The header of a change or deletion that must not overwrite what the client has not seen. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the version that you have read: if another one is stored, the answer is 412 and nothing changes.',
    }),
  ),
})

/** Parses `If-Match`: any of its strong tags, any version for `*` or no header. A weak tag never matches (RFC 9110 §13.1.1). */
export function expectedVersion(request: FastifyRequest): ExpectedVersion {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return () => true
  const tags = tagsIn(header).map(uncoded)
  return (version) => tags.includes(entityTag(version))
}

/** Sends a resource with its tag; 304 if the client has that version already. */
export function sendVersioned<T extends { readonly version: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: T,
): T | undefined {
  if (!isKnown(request, reply, entityTag(resource.version))) return resource
  reply.code(304).send()
  return undefined
}

/** Sends JSON text that needs no serializing. */
export function sendJson(reply: FastifyReply, json: string | Buffer | Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

/** Tags the answer, as the client does that has it already; and says whether one reads who has. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const known = tagsIn(request.headers['if-none-match'] ?? '').map((one) => one.replace(/^W\//, ''))
  const same = known.find((one) => uncoded(one) === tag)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isHad = isRead && (same !== undefined || known.includes('*'))
  reply.header('etag', isHad ? (same ?? tag) : tag)
  return isHad
}

function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim())
}

import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ExpectedVersion } from '../../booking/expected-version.ts'
import { notFound } from '../../contract/problem.ts'

function entityTag(version: number): string {
  return `"${version}"`
}

export function contentTag(content: string | Buffer): string {
  return `"${hash('sha256', content, 'base64url')}"`
}

const ROWS = '"rows.'

/** Returns the tag of a response by the digests of its parts, made without reading its rows. */
export function rowsTag(digests: readonly string[]): string {
  return `${ROWS}${hash('sha256', JSON.stringify(digests), 'base64url')}"`
}

/** Whether the client has a tag made of outlines: then these are read before the rows. */
export function hasRowsTag(request: FastifyRequest): boolean {
  return request.headers['if-none-match']?.includes(ROWS) ?? false
}

/** Turns `"7"` into `"7.gzip"`, an ending that no hash has. */
export function tagWithCoding(tag: string, coding: string): string {
  return tag.replace(/"$/, `.${coding}"`)
}

/** Removes the hash of computed fields from a tag. */
function versionOf(tag: string): string {
  return tag.replace(/^"(\d+)\.[\w-]{43}"$/, '"$1"')
}

/** Removes the coding from a tag. */
function uncoded(tag: string): string {
  return tag.replace(/\.(br|gzip)"$/, '"')
}

/** The header that keeps a change or deletion from overwriting an unseen version. */
export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` of the version that you have read: if the resource has changed since, the response is a 412 and nothing is written.',
    }),
  ),
})

/**
 * Parses `If-Match`. Any of its strong tags matches; `*` or no header matches every version. A weak tag never matches (RFC 9110
 * §13.1.1).
 */
export function expectedVersion(request: FastifyRequest): ExpectedVersion {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return () => true
  const tags = tagsIn(header).map((tag) => versionOf(uncoded(tag)))
  return (version) => tags.includes(entityTag(version))
}

/** Returns the change in the body and the check of the version that it applies to. */
export function intentOf<T>(request: FastifyRequest & { readonly body: T }) {
  return { change: request.body, isExpected: expectedVersion(request) }
}

/** Sends a resource with its tag; 304 if the client has that version already. */
export function sendVersioned<T extends { readonly version: number }>(
  reply: FastifyReply,
  resource: T,
): T | undefined {
  if (!isCurrentFor(reply.request, reply, entityTag(resource.version))) return resource
  reply.code(304).send()
  return undefined
}

/** Sends a resource like `sendVersioned`. Throws `not_found` if there is none. */
export async function sendFound<T extends { readonly version: number }>(
  reply: FastifyReply,
  found: Promise<T | undefined>,
): Promise<T | undefined> {
  const resource = await found
  if (!resource) throw notFound()
  return sendVersioned(reply, resource)
}

/** Sends a resource with computed fields, which change without its version: the tag adds a hash, which `If-Match` ignores. */
export function sendComputed(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: { readonly version: number },
  shown: object = resource,
): FastifyReply {
  const bytes = Buffer.from(JSON.stringify(shown))
  const tag = `"${resource.version}.${contentTag(bytes).slice(1)}`
  return isCurrentFor(request, reply, tag) ? reply.code(304).send() : sendJson(reply, bytes)
}

export function sendJson(reply: FastifyReply, json: string | Buffer | Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

/** Tags the response. Returns whether the client has that version. */
export function isCurrentFor(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
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

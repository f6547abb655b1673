import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isTimestamp } from '../contract/formats.ts'
import { invalidRequest } from '../contract/problem.ts'
import type { JsonPage, Page } from '../db/json-page.ts'
import { isLocalDateTime } from '../domain/local-time.ts'
import { sendContent } from './entity-tag.ts'

/** The query parameters that every list has. */
export const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'At most so many, 1–1000; `Link` leads on.',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: 'From the `Link` of the page before.' })),
}

export type PageQuery = { readonly limit?: string; readonly cursor?: string }

/** How a list is read and ordered; `orderedBy` names the ordering fields, and a cursor holds their values. */
export type List = {
  readonly read: (page: Page) => Promise<JsonPage>
  readonly orderedBy: readonly string[]
}

/** Answers a list: one page with `limit`, else the whole of it, streamed page by page. */
export async function sendList(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  list: List,
): Promise<FastifyReply> {
  const { limit, cursor } = request.query
  if (cursor !== undefined && limit === undefined) throw cursorFault('needs limit beside it')
  const after = cursor === undefined ? undefined : cursorValues(cursor, list)
  if (limit === undefined) return sendWhole(request, reply, list)
  const page = await list.read({ after, limit: Number(limit) })
  if (page.last) reply.header('link', `<${nextUrl(request, cursorFor(page.last, list))}>; rel="next"`)
  return sendContent(request, reply, `[${page.json}]`)
}

/** Answers an object of small values and long lists. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  values: Readonly<Record<string, unknown>>,
  lists: Readonly<Record<string, List>>,
): Promise<FastifyReply> {
  const begun = await Promise.all(
    Object.entries(lists).map(async ([name, list]) => ({ name, ...(await begin(list)) })),
  )
  const isLong = begun.some(({ first }) => first.last !== undefined)
  if (isLong) return sendStream(reply, objectPieces(values, begun))
  return sendContent(request, reply, wholeObject(values, begun))
}

function wholeObject(
  values: Readonly<Record<string, unknown>>,
  lists: readonly (BegunList & { readonly name: string })[],
): string {
  const members = lists.map(({ name, first }) => `,${JSON.stringify(name)}:[${first.json}]`)
  return `${JSON.stringify(values).slice(0, -1)}${members.join('')}}`
}

async function* objectPieces(
  values: Readonly<Record<string, unknown>>,
  lists: readonly (BegunList & { readonly name: string })[],
): AsyncGenerator<string> {
  yield JSON.stringify(values).slice(0, -1)
  for (const { name, ...list } of lists) {
    yield `,${JSON.stringify(name)}:`
    yield* arrayPieces(list)
  }
  yield '}'
}

/** First pages are read before an answer begins, so that a failure is still a problem and not a broken stream. */
type BegunList = { readonly list: List; readonly first: JsonPage }

async function begin(list: List): Promise<BegunList> {
  return { list, first: await list.read({}) }
}

async function sendWhole(request: FastifyRequest, reply: FastifyReply, list: List): Promise<FastifyReply> {
  const begun = await begin(list)
  if (begun.first.last) return sendStream(reply, arrayPieces(begun))
  return sendContent(request, reply, `[${begun.first.json}]`)
}

/** For what is longer than a page. The rest is sent whole, in half the time, and with a tag. */
function sendStream(reply: FastifyReply, pieces: AsyncGenerator<string>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(pieces))
}

async function* arrayPieces({ list, first }: BegunList): AsyncGenerator<string> {
  yield `[${first.json}`
  for (let page = first; page.last; ) {
    page = await list.read({ after: valuesOf(page.last, list) })
    if (page.json !== '') yield `,${page.json}`
  }
  yield ']'
}

function valuesOf(row: Readonly<Record<string, unknown>>, { orderedBy }: List): readonly string[] {
  return orderedBy.map((name) => String(row[name]))
}

function cursorFor(row: Readonly<Record<string, unknown>>, list: List): string {
  return Buffer.from(JSON.stringify(valuesOf(row, list))).toString('base64url')
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The values in a cursor, if it is one that this list could have made. */
function cursorValues(cursor: string, { orderedBy }: List): readonly string[] {
  const values = parsed(Buffer.from(cursor, 'base64url').toString('utf8'))
  const isOurs =
    Array.isArray(values) &&
    values.length === orderedBy.length &&
    orderedBy.every((name, index) => isOrderingValue(name, values[index]))
  if (!isOurs) throw cursorFault('is not one of ours')
  return values
}

function isOrderingValue(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false
  if (name === 'id') return ID.test(value)
  if (name === 'at') return isTimestamp(value)
  return name === 'start_at' ? isLocalDateTime(value) : true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cursorFault(what: string) {
  return invalidRequest([{ pointer: '?cursor', code: 'invalid_format', detail: `cursor ${what}.` }])
}

/** Relative to the host: the client knows by which name it reached us, and `Host` is not to be trusted. */
function nextUrl(request: FastifyRequest, cursor: string): string {
  const url = new URL(request.url, 'http://relative.invalid')
  url.searchParams.set('cursor', cursor)
  return `${url.pathname}${url.search}`
}

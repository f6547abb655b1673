import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { JsonList, JsonPage, Outline, Whole } from '../../db/json-list.ts'
import type { Turn } from '../load/queue-requests.ts'
import { cursorFault, cursorValues, nextUrl } from '../requests/cursor.ts'
import { contentTag, hasRowsTag, isCurrentFor, rowsTag, sendJson } from './entity-tag.ts'
import { rowParts } from './row-parts.ts'
import { type Part, partsInSlices } from './slices.ts'

/** The query parameters that every list has. */
export const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      'x-published': { type: 'integer', minimum: 1, maximum: 1000 },
      description:
        'The maximum number of items per page, 1–1000; the header `Link` leads to the next page. Without it the whole list is returned.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The position after the page before: take it from the `Link` of that page. Needs `limit`.',
    }),
  ),
}

export type PageQuery = { readonly limit?: string; readonly cursor?: string }

/** The bytes assumed for a row, to check whether there is room for a page before it is read. */
const LONG_ROW = 5 * 1024

/** Sends a list: one page with `limit`, else the whole list. */
export async function sendList(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  list: JsonList,
): Promise<FastifyReply> {
  const { limit, cursor } = request.query
  if (cursor !== undefined && limit === undefined) throw cursorFault('needs limit beside it')
  const after = cursor === undefined ? undefined : cursorValues(cursor, list.orderedBy)
  const { openResponses } = request.server
  await openResponses.requireRoom(request, reply, limit === undefined ? undefined : Number(limit) * LONG_ROW)
  if (limit === undefined) return sendPieces(request, reply, ['[', list, ']'])
  const { json, last } = await request.turn.read(() => list.page({ after, limit: Number(limit) }))
  return sendPage(request, reply, { json: `[${json}]`, last, orderedBy: list.orderedBy })
}

type SentPage = {
  readonly json: string
  readonly last: JsonPage['last']
  readonly orderedBy: readonly string[]
}

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, last, orderedBy }: SentPage,
): FastifyReply {
  if (last) reply.header('link', `<${nextUrl(request, last, orderedBy)}>; rel="next"`)
  return sendWhole(request, reply, json)
}

const BY_PLACE = ['place']

/** Sends a list that is in memory: one page with `limit`, else all of it. */
export function sendItems(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  items: readonly unknown[],
): Promise<FastifyReply> {
  return sendComputed(request, reply, async ({ start, limit }) => {
    const next = start + limit
    return { items: items.slice(start, next), next: next < items.length ? next : undefined }
  })
}

/** The place of the first item, and the maximum of items. */
export type ItemsPage = { readonly start: number; readonly limit: number }

/** Items, and the place after them; undefined at the end. */
export type ComputedItems = { readonly items: readonly unknown[]; readonly next: number | undefined }

/** Sends a list whose items are computed one by one: those of one page with `limit`, else all. */
export async function sendComputed(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  compute: (page: ItemsPage) => Promise<ComputedItems>,
): Promise<FastifyReply> {
  const { limit, cursor } = request.query
  if (cursor !== undefined && limit === undefined) throw cursorFault('needs limit beside it')
  const start = cursor === undefined ? 0 : Number(cursorValues(cursor, BY_PLACE)[0])
  const { items, next } = await compute({ start, limit: Number(limit ?? Number.POSITIVE_INFINITY) })
  const last = next === undefined ? undefined : { place: next }
  return sendPage(request, reply, { json: JSON.stringify(items), last, orderedBy: BY_PLACE })
}

/** Sends an object of small values and lists. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  values: Readonly<Record<string, unknown>>,
  lists: Readonly<Record<string, JsonList>>,
): Promise<FastifyReply> {
  await request.server.openResponses.requireRoom(request, reply)
  const members = Object.entries(lists).flatMap(([name, list]) => [`,${JSON.stringify(name)}:[`, list, ']'])
  return sendPieces(request, reply, [JSON.stringify(values).slice(0, -1), ...members, '}'])
}

type Pieces = readonly (string | JsonList)[]

/**
 * Sends a short response whole, a long one as a stream. The tag is made of the rows' versions if these cover all fields, so that
 * an unchanged list is not read; otherwise a short response has a tag of its bytes.
 */
async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: Pieces,
): Promise<FastifyReply> {
  const isVersioned = pieces.every((piece) => typeof piece === 'string' || piece.isVersioned)
  const known = hasRowsTag(request) ? await request.turn.read(() => outlinesOf(pieces)) : undefined
  if (known && isVersioned && isCurrentFor(request, reply, tagOf(known))) return reply.code(304).send()
  const whole = known?.some(isLong) ? undefined : await request.turn.read(() => wholesOf(pieces))
  if (whole) {
    const json = whole.map((one) => one.json).join('')
    return sendWhole(request, reply, json, isVersioned ? tagOf(whole) : undefined)
  }
  await request.server.openResponses.enter(request, reply)
  const outlines = known ?? (await request.turn.read(() => outlinesOf(pieces)))
  if (isCurrentFor(request, reply, tagOf(outlines))) return reply.code(304).send()
  return sendJson(reply, await begun(partsOf(request.turn, pieces, outlines)))
}

/** Reads the first part before the response begins, so that a failure is sent as a problem, not as a broken stream. */
export async function begun(parts: AsyncGenerator<Part>): Promise<Readable> {
  const first = await parts.next()
  return partsInSlices(first.value ?? '', parts)
}

/** Sends JSON text, by default with a tag of its bytes. Encodes it once, because hashing, measuring and writing would each do so. */
export function sendWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  tag?: string,
): FastifyReply {
  const bytes = Buffer.from(json)
  if (isCurrentFor(request, reply, tag ?? contentTag(bytes))) return reply.code(304).send()
  return sendJson(reply, bytes)
}

/** Reads the pieces whole. Returns undefined if a list is long. */
async function wholesOf(pieces: Pieces): Promise<readonly Whole[] | undefined> {
  const wholes = await Promise.all(
    pieces.map((piece) => (typeof piece === 'string' ? { json: piece, digest: piece } : piece.whole())),
  )
  const read = wholes.filter((whole) => whole !== undefined)
  return read.length < wholes.length ? undefined : read
}

/**
 * Reads the outlines, and with them the tag, before the rows. A concurrent write may make the rows differ from the tag: then the
 * client reads once more than needed. For a false 304, a row would have to leave the list meanwhile and return with its version, as
 * a student whom an instructor sees only by a lesson that is deleted and restored.
 */
async function outlinesOf(pieces: Pieces): Promise<readonly Outline[]> {
  return Promise.all(
    pieces.map((piece) => (typeof piece === 'string' ? { digest: piece, pages: [] } : piece.outline())),
  )
}

function tagOf(outlines: readonly Pick<Outline, 'digest'>[]): string {
  return rowsTag(outlines.map(({ digest }) => digest))
}

function isLong({ pages }: Outline): boolean {
  return pages.length > 1
}

/** Yields the text in parts. The first one contains rows. */
async function* partsOf(turn: Turn, pieces: Pieces, outlines: readonly Outline[]): AsyncGenerator<Part> {
  let between = ''
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') between += piece
    else
      for await (const rows of rowParts(piece, outlines[index]?.pages ?? [], (part) => turn.read(part))) {
        if (between === '') yield ','
        yield between === '' ? rows : Buffer.concat([Buffer.from(between), rows])
        between = ''
      }
  }
  yield between
}

import { isTimestamp } from '../../contract/formats.ts'
import { invalidRequest } from '../../contract/problem.ts'
import type { LogMark, Position } from '../../db/log/position.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** PostgreSQL's text format of a snapshot: `xmin:xmax:` and the transactions in progress. */
const SNAPSHOT = /^(\d{1,19}):(\d{1,19}):(\d{1,19}(?:,\d{1,19})*)?$/

export function cursorFor({ piece, ...seen }: Position): string {
  const values = [...valuesOf(seen), ...(piece ? [piece.at, piece.id, ...valuesOf(piece.until)] : [])]
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** A server start that matches no real one, so that the position is found by its time. */
const NEVER = '1970-01-01T00:00:00.000Z'

/** Returns a cursor for all changes since a time and shortly before it. */
export function cursorAt(at: string): string {
  return cursorFor({ server: NEVER, at, seen: '1:1:' })
}

function valuesOf({ server, at, seen }: LogMark): readonly string[] {
  return [server, at, seen]
}

/** Parses a cursor. Throws `invalid_request` at `pointer` if this service cannot have made it. */
export function positionIn(cursor: string, pointer = '?cursor'): Position {
  const position = readPosition(valuesIn(cursor))
  if (position) return position
  const detail = 'cursor is not one of ours; without one, the answer says where to begin.'
  throw invalidRequest([{ pointer, code: 'invalid_format', detail }])
}

function readPosition(values: readonly string[]): Position | undefined {
  const seen = readMark(values.slice(0, 3))
  if (!seen || values.length === 3) return seen
  const [at = '', id = ''] = values.slice(3, 5)
  const until = readMark(values.slice(5))
  if (!until || values.length !== 8 || !isTimestamp(at) || !ID.test(id)) return undefined
  return { ...seen, piece: { at, id, until } }
}

function readMark([server = '', at = '', seen = '']: readonly string[]): LogMark | undefined {
  if (!isTimestamp(server) || !isTimestamp(at) || !isSnapshot(seen)) return undefined
  return { server, at, seen }
}

function valuesIn(cursor: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : []
  } catch {
    return []
  }
}

/** Whether PostgreSQL accepts the snapshot: it rejects numbers out of order. */
function isSnapshot(text: string): boolean {
  const [, first, next, running] = SNAPSHOT.exec(text) ?? []
  if (first === undefined || next === undefined) return false
  const [oldest, newest] = [BigInt(first), BigInt(next)]
  const between = (running?.split(',') ?? []).map(BigInt)
  const isOrdered = between.every((one, at) => one > (between[at - 1] ?? oldest - 1n) && one < newest)
  return oldest > 0n && oldest <= newest && newest < 2n ** 63n && isOrdered
}

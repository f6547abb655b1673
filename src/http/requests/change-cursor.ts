import { isTimestamp } from '../../contract/formats.ts'
import { invalidRequest } from '../../contract/problem.ts'
import type { Mark, Position } from '../../db/log/follow-changes.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** PostgreSQL's text of a snapshot: `xmin:xmax:` and the transactions in progress. */
const SNAPSHOT = /^(\d{1,19}):(\d{1,19}):(\d{1,19}(?:,\d{1,19})*)?$/

export function cursorFor({ piece, ...seen }: Position): string {
  const values = [...valuesOf(seen), ...(piece ? [piece.at, piece.id, ...valuesOf(piece.until)] : [])]
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function valuesOf({ server, at, seen }: Mark): readonly string[] {
  return [server, at, seen]
}

/** Throws `invalid_request` for a cursor that this service cannot have made. */
export function positionIn(cursor: string): Position {
  const values = valuesIn(cursor)
  const seen = markIn(values.slice(0, 3))
  if (values.length === 3) return seen
  const [at = '', id = ''] = values.slice(3, 5)
  if (values.length !== 8 || !isTimestamp(at) || !ID.test(id)) throw notOurs()
  return { ...seen, piece: { at, id, until: markIn(values.slice(5)) } }
}

function markIn([server = '', at = '', seen = '']: readonly string[]): Mark {
  if (!isTimestamp(server) || !isTimestamp(at) || !isSnapshot(seen)) throw notOurs()
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

/** PostgreSQL rejects numbers out of order. */
function isSnapshot(text: string): boolean {
  const [, first, next, running] = SNAPSHOT.exec(text) ?? []
  if (first === undefined || next === undefined) return false
  const [oldest, newest] = [BigInt(first), BigInt(next)]
  const between = (running?.split(',') ?? []).map(BigInt)
  const isOrdered = between.every((one, at) => one > (between[at - 1] ?? oldest - 1n) && one < newest)
  return oldest > 0n && oldest <= newest && newest < 2n ** 63n && isOrdered
}

function notOurs() {
  const detail = 'cursor is not one of ours; without one, the answer says where to begin.'
  return invalidRequest([{ pointer: '?cursor', code: 'invalid_format', detail }])
}

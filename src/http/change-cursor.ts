import { invalidRequest } from '../contract/problem.ts'
import type { Position } from '../db/follow-changes.ts'

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/
const CHANGED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** PostgreSQL's text of a snapshot: the oldest transaction that runs, the first to come, and those in between that run. */
const SNAPSHOT = /^(\d{1,19}):(\d{1,19}):(\d{1,19}(?:,\d{1,19})*)?$/

/** A follower's position as it travels. */
export function cursorFor({ server, at, seen, piece }: Position): string {
  const values = [server, at, seen, ...(piece ? [piece.at, piece.id, piece.until] : [])]
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The position in a cursor. Throws `invalid_request` for one that this service could not have made. */
export function positionIn(cursor: string): Position {
  const [server = '', at = '', seen = '', ...piece] = valuesIn(cursor)
  if (!TIME.test(server) || !TIME.test(at) || !isSnapshot(seen)) throw notOurs()
  if (piece.length === 0) return { server, at, seen }
  const [changedAt = '', id = '', until = ''] = piece
  if (piece.length > 3 || !CHANGED_AT.test(changedAt) || !ID.test(id) || !isSnapshot(until)) throw notOurs()
  return { server, at, seen, piece: { at: changedAt, id, until } }
}

function valuesIn(cursor: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : []
  } catch {
    return []
  }
}

/** PostgreSQL refuses numbers out of order as it refuses rubbish. */
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

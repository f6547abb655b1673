import type { FastifyRequest } from 'fastify'
import { isTimestamp } from '../../contract/formats.ts'
import { invalidRequest } from '../../contract/problem.ts'
import { isLocalDateTime } from '../../domain/local-time.ts'

type Ordering = readonly string[]
type Row = Readonly<Record<string, unknown>>

const PLACE = /^\d{1,9}$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the values in a cursor. Throws `invalid_request` if no list in this order can have made it. */
export function cursorValues(cursor: string, orderedBy: Ordering): readonly string[] {
  const values = readCursor(cursor, orderedBy)
  if (!values) throw cursorFault('is not one of ours')
  return values
}

/** Returns the values in a cursor, or undefined if it is invalid. */
export function readCursor(cursor: string, orderedBy: Ordering): readonly string[] | undefined {
  const values = parsed(Buffer.from(cursor, 'base64url').toString('utf8'))
  const isOurs =
    Array.isArray(values) &&
    values.length === orderedBy.length &&
    orderedBy.every((name, index) => isOrderingValue(name, values[index]))
  return isOurs ? values : undefined
}

export function cursorOf(row: Row, orderedBy: Ordering): string {
  return Buffer.from(JSON.stringify(orderedBy.map((name) => String(row[name])))).toString('base64url')
}

export function cursorFault(what: string) {
  return invalidRequest([{ pointer: '?cursor', code: 'invalid_format', detail: `cursor ${what}.` }])
}

/** Returns the path and query of the page after a row. It names no host, because `Host` cannot be trusted. */
export function nextUrl(request: FastifyRequest, row: Row, orderedBy: Ordering): string {
  const url = new URL(request.url, 'http://relative.invalid')
  url.searchParams.set('cursor', cursorOf(row, orderedBy))
  return `${url.pathname}${url.search}`
}

function isOrderingValue(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return false
  if (name === 'id') return ID.test(value)
  if (name === 'at') return isTimestamp(value)
  if (name === 'place') return PLACE.test(value)
  return name === 'start_at' ? isLocalDateTime(value) : true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

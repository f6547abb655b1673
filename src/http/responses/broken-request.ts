import type { Socket } from 'node:net'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, Problem } from '../../contract/problem.ts'
import { PROBLEMS } from '../../contract/problem-messages.ts'
import { BASE_HEADERS, EXPOSED_HEADERS } from './base-headers.ts'
import { problemBody } from './problems.ts'

type BrokenRequest = Error & { readonly code?: string; readonly rawPacket?: unknown }

/** Returns the handler of bytes that are not HTTP: it sends a problem like any other and closes the connection. */
export function brokenRequestHandler(
  corsOrigins: readonly string[],
): (error: BrokenRequest, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(answerTo(error, corsOrigins))
  }
}

function answerTo({ code, rawPacket }: BrokenRequest, corsOrigins: readonly string[]): string {
  const problem = problemFor(code)
  const { status, title } = PROBLEMS[problem.code]
  const requestId = newId()
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...BASE_HEADERS,
    ...corsHeadersFor(rawPacket, corsOrigins),
    'X-Request-Id': requestId,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n')
}

const ORIGIN = /^origin:[ \t]*(\S+)[ \t]*$/im

/**
 * Reads the origin from the unparsed bytes. This is safe: only listed origins match, and the response has no data. A request with
 * an incomplete head (408) has no bytes, so scripts cannot read that response.
 */
function corsHeadersFor(rawPacket: unknown, corsOrigins: readonly string[]) {
  const text = rawPacket instanceof Buffer ? rawPacket.toString('latin1') : ''
  const origin = ORIGIN.exec(text)?.[1]
  if (origin === undefined || !corsOrigins.includes(origin)) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  }
}

function problemFor(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout')
  return invalidRequest([{ pointer: '', code: 'invalid_format', detail: 'The request is not HTTP/1.1.' }])
}

import type { Socket } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import { invalidRequest, Problem } from '../contract/problem.ts'
import { BASE_HEADERS } from './base-headers.ts'
import { PROBLEMS, problemBody } from './problems.ts'

/** Answers what Node could not read as HTTP, in the shape of every other failure, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemFor(error.code)
  const { status, title } = PROBLEMS[problem.code]
  const requestId = uuidv7()
  const body = JSON.stringify(problemBody(problem, requestId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(BASE_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function problemFor(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout')
  return invalidRequest([{ pointer: '', code: 'invalid_format', detail: 'The request is not HTTP/1.1.' }])
}

import { connect } from 'node:net'
import type { TestService } from './app.ts'
import type { Answer } from './client.ts'

const PATIENCE_MS = 10_000

/** Sends raw bytes, as `fetch` would not, and reads until the service closes the connection. */
export function sendBytes(service: TestService, bytes: string | Uint8Array): Promise<Answer> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const finish = (error?: Error) => {
      if (chunks.length === 0) reject(error ?? new Error('the service closed without an answer'))
      else resolve(answerIn(Buffer.concat(chunks).toString()))
    }
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the service left the connection open')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', finish)
    socket.on('close', () => finish())
  })
}

/** Sends a request given as lines. Repeated headers stay repeated. */
export function sendLines(service: TestService, lines: readonly string[], body = ''): Promise<Answer> {
  return sendBytes(service, [...lines, 'Connection: close', '', body].join('\r\n'))
}

/** Returns the `Host` line for a request to the service. */
export function hostLine(service: TestService): string {
  return `Host: ${new URL(service.url).host}`
}

function answerIn(reply: string): Answer {
  const end = reply.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = reply.slice(0, end).split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const text = reply.slice(end + 4)
  return { status: Number(statusLine.split(' ')[1]), headers, text, body: jsonOr(text) }
}

function jsonOr(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

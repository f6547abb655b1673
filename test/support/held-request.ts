import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client, Headings, Reached } from './client.ts'

/** A request whose head has been sent, and whose body `letGo` sends. */
export type Held<Received> = { readonly letGo: () => Promise<Received> }

type HeldRequest = {
  readonly client: Client
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * Sends the head of a request and holds back its body. Returns on 100 Continue, when the service has read the head and,
 * because its cache has the session, authenticated it.
 */
export async function holdBody(
  { url }: Reached,
  { client, method, path, body }: HeldRequest,
): Promise<Held<{ readonly status: number; readonly code?: string }>> {
  await client.get('/auth/me')
  const headers = { ...client.headers, 'content-type': 'application/json' }
  const { letGo } = await holdBytes(`${url}/api/v1${path}`, { method, headers, text: JSON.stringify(body) })
  return {
    letGo: async () => {
      const { status, received } = await letGo()
      return { status, code: received === '' ? undefined : JSON.parse(received).code }
    },
  }
}

type Sent = { readonly method: string; readonly headers: Headings; readonly text: string }

export async function holdBytes(
  url: string,
  { method, headers, text: body }: Sent,
): Promise<Held<{ readonly status: number; readonly received: string }>> {
  const bytes = Buffer.from(body)
  const length = { 'content-length': bytes.length, expect: '100-continue' }
  const asked = request(url, { method, headers: { ...headers, ...length } })
  const answered = once(asked, 'response')
  asked.flushHeaders()
  await once(asked, 'continue')
  return {
    letGo: async () => {
      asked.end(bytes)
      const [answer] = await answered
      return { status: answer.statusCode, received: await text(answer) }
    },
  }
}

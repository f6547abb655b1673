import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client, Reached } from './client.ts'

/** A request whose head is there, and whose body comes when it is let go. */
export type Held = { readonly letGo: () => Promise<{ readonly status: number; readonly code?: string }> }

type Asked = {
  readonly client: Client
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * Sends the head of a request and holds its body back. The service asks to continue when it has read the head, and has
 * authenticated it by the time that is heard, if it knows the session already.
 */
export async function holdBody({ url }: Reached, { client, method, path, body }: Asked): Promise<Held> {
  await client.get('/auth/me')
  const bytes = Buffer.from(JSON.stringify(body))
  const asked = request(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...client.headers,
      'content-type': 'application/json',
      'content-length': bytes.length,
      expect: '100-continue',
    },
  })
  const answered = once(asked, 'response')
  asked.flushHeaders()
  await once(asked, 'continue')
  return {
    letGo: async () => {
      asked.end(bytes)
      const [answer] = await answered
      const received = await text(answer)
      return { status: answer.statusCode, code: received === '' ? undefined : JSON.parse(received).code }
    },
  }
}

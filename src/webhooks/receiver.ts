import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { signatureOf } from '../auth/webhook-secrets.ts'
import type { Answer } from '../db/webhook-deliveries.ts'
import { type Addresses, pinnedTo, RefusedAddress } from './addresses.ts'

const MOST_READ = 64 * 1024

type Message = {
  readonly url: string
  readonly id: string
  readonly body: string
  readonly secret: string
}

/** Signs a message and posts it to a checked address, without redirects. Always resolves; the signal ends the attempt. */
export async function post(message: Message, addresses: Addresses, signal: AbortSignal): Promise<Answer> {
  try {
    const target = new URL(message.url)
    const lookup = pinnedTo(await addresses.of(target.hostname, signal))
    // An agent of its own would be shared with no other attempt; the global one may use a proxy, which resolves names itself.
    const sending = request(target, {
      method: 'POST',
      headers: signedHeaders(message),
      agent: false,
      lookup,
      signal,
    })
    return await answerTo(sending, message.body)
  } catch (error) {
    return { status: null, error: reasonOf(error, signal) }
  }
}

function signedHeaders({ id, body, secret }: Message): Readonly<Record<string, string>> {
  const at = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Fahrplan',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signatureOf({ id, at, body }, secret),
  }
}

async function answerTo(sending: ClientRequest, body: string): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve)
    sending.on('error', reject)
    sending.on('close', () => reject(new Error('closed')))
    sending.end(body)
  })
  const status = response.statusCode ?? 0
  await drain(response)
  return { status, error: status >= 300 && status < 400 ? 'redirect' : null }
}

async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes > MOST_READ) break
    }
  } catch {
  } finally {
    response.destroy()
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof RefusedAddress) return error.message
  if (signal.aborted) return 'timeout'
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'closed'
}

import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { signatureOf } from '../auth/webhook-secrets.ts'
import type { WebhookResponse } from '../db/webhooks/webhook-deliveries.ts'
import { type Addresses, pinnedTo, RefusedAddress } from './addresses.ts'

const MAX_READ = 64 * 1024

type Message = {
  readonly url: string
  readonly id: string
  readonly body: string
  readonly secret: string
}

export type Outgoing = {
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Buffer
}

export function post(message: Message, addresses: Addresses, signal: AbortSignal): Promise<WebhookResponse> {
  return sendTo({ ...message, headers: signedHeaders(message) }, addresses, signal)
}

/** Posts a request to a checked address without following redirects. Always resolves; the signal aborts the attempt. */
export async function sendTo(
  { url, headers, body }: Outgoing,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  try {
    const target = new URL(url)
    const lookup = pinnedTo(await addresses.of(target.hostname, signal))
    // `agent: false` creates an agent for this attempt: the global one may use a proxy, which resolves names itself.
    const sending = request(target, { method: 'POST', headers, agent: false, lookup, signal })
    return await answerTo(sending, body)
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

/** The reason why a message was not accepted. `isFinal` if a retry would get the same response. */
export type RequestFailure = { readonly reason: string; readonly isFinal: boolean; readonly isServer: false }

const TRIED_AGAIN: ReadonlySet<number> = new Set([408, 425, 429])

export function failureIn({ status, error }: WebhookResponse): RequestFailure | undefined {
  if (status !== null && status >= 200 && status < 300) return undefined
  const isFinal = status !== null && status >= 400 && status < 500 && !TRIED_AGAIN.has(status)
  return { reason: error ?? `HTTP ${status}`, isFinal, isServer: false }
}

async function answerTo(sending: ClientRequest, body: string | Buffer): Promise<WebhookResponse> {
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
      if (bytes > MAX_READ) break
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

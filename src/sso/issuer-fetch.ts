import { type ClientRequest, request as http, type IncomingMessage } from 'node:http'
import { request as https } from 'node:https'
import { type Addresses, pinnedTo, RefusedAddress } from '../webhooks/addresses.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024

/** The options that the OpenID Connect client passes to `fetch`. */
type FetchOptions = {
  readonly method?: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: unknown
}

/**
 * Returns a `fetch` that reaches only checked addresses, follows no redirects, and reads at most 256 KB: what comes from an
 * issuer, such as the address of its keys, is checked like the issuer itself. Plain HTTP reaches the operator's networks alone.
 */
export function fetchFrom(addresses: Addresses) {
  return async (url: string, { method = 'GET', headers, body }: FetchOptions = {}): Promise<Response> => {
    const target = new URL(url)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const isPlain = target.protocol === 'http:'
    if (!isPlain && target.protocol !== 'https:') throw new RefusedAddress()
    const found = isPlain
      ? await addresses.ofOwnNetworks(target.hostname, signal)
      : await addresses.of(target.hostname, signal)
    // `agent: false`: as in `webhooks/receiver.ts`.
    const options = {
      method,
      headers: { ...Object.fromEntries(new Headers(headers as never)), 'accept-encoding': 'identity' },
      agent: false,
      lookup: pinnedTo(found),
      signal,
    } as const
    const response = await answerTo((isPlain ? http : https)(target, options), body)
    const status = response.statusCode ?? 500
    const bytes = await bytesOf(response)
    const type = response.headers['content-type']
    return new Response(status === 204 || status === 304 ? null : bytes, {
      status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}

function answerTo(sending: ClientRequest, body: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.on('response', resolve)
    sending.on('error', reject)
    sending.on('close', () => reject(new Error('closed')))
    sending.end(body === undefined || body === null ? undefined : String(body))
  })
}

async function bytesOf(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > MAX_BYTES) throw new Error('too large')
      chunks.push(chunk)
    }
  } finally {
    response.destroy()
  }
  return new Uint8Array(Buffer.concat(chunks))
}

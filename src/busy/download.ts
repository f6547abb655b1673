import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { finished } from 'node:stream/promises'
import { httpsFaultsFor } from '../contract/https-address.ts'
import type { BusyFailure } from '../domain/busy-policy.ts'
import { type Addresses, pinnedTo, RefusedAddress } from '../webhooks/addresses.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 5
const FIRST_BYTES = 64 * 1024
/** A server that sends a calendar by the line sends parts that are longer on average. */
const SMALL_PART = 16
const MAX_SMALL_PARTS = 10_000
const MAX_VALIDATOR = 1_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The validators of the last response (RFC 9110 §13). */
export type Validators = { readonly etag: string | null; readonly last_modified: string | null }

type CalendarBytes = { readonly bytes: Uint8Array; readonly digest: string }

export type Download = 'unchanged' | (Validators & CalendarBytes) | { readonly failure: BusyFailure }

class Failed extends Error {
  readonly failure: BusyFailure

  constructor(failure: BusyFailure) {
    super(failure)
    this.failure = failure
  }
}

type DownloadOptions = {
  readonly addresses: Addresses
  readonly authorities: readonly string[] | undefined
  readonly end: AbortSignal
}

/**
 * Gets a text from a checked address, unless it is as it was. Each redirect is checked like the first address. Always
 * resolves; the signal aborts it.
 */
export async function download(url: string, validators: Validators, way: DownloadOptions): Promise<Download> {
  try {
    let target = url
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await responseOf(target, validators, way)
      const status = response.statusCode ?? 0
      const { location } = response.headers
      if (!REDIRECTS.has(status) || location === undefined) return await contentOf(response)
      response.destroy()
      if (!URL.canParse(location, target)) throw new Failed('http_error')
      target = new URL(location, target).href
    }
    return { failure: 'too_many_redirects' }
  } catch (error) {
    return { failure: failureOf(error, way.end) }
  }
}

async function responseOf(
  url: string,
  { etag, last_modified }: Validators,
  { addresses, authorities, end: signal }: DownloadOptions,
): Promise<IncomingMessage> {
  if (httpsFaultsFor({ url }).length > 0) throw new Failed('not_https')
  const target = new URL(url)
  const lookup = pinnedTo(await addresses.of(target.hostname, signal))
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': 'Fahrplan',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(last_modified !== null && { 'if-modified-since': last_modified }),
  }
  // `agent: false`: as in `webhooks/receiver.ts`.
  const ca = authorities && { ca: [...authorities] }
  const sending = request(target, { method: 'GET', headers, agent: false, lookup, signal, ...ca })
  return new Promise((resolve, reject) => {
    sending.on('response', resolve)
    sending.on('error', reject)
    sending.on('close', () => reject(new Error('closed')))
    sending.end()
  })
}

async function contentOf(response: IncomingMessage): Promise<Download> {
  const { statusCode: status = 0, headers } = response
  try {
    if (status === 304) return 'unchanged'
    if (status === 401 || status === 403) throw new Failed('forbidden')
    if (status === 404 || status === 410) throw new Failed('not_found')
    if (status !== 200) throw new Failed('http_error')
    return {
      ...(await bytesOf(response)),
      etag: validatorIn(headers.etag),
      last_modified: validatorIn(headers['last-modified']),
    }
  } finally {
    response.destroy()
  }
}

async function bytesOf(response: IncomingMessage): Promise<CalendarBytes> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BYTES) throw new Failed('too_large')
  let bytes = new Uint8Array(FIRST_BYTES)
  let [length, parts] = [0, 0]
  response.on('data', (part: Buffer) => {
    const end = length + part.length
    parts += 1
    if (end > MAX_BYTES) return response.destroy(new Failed('too_large'))
    if (parts > MAX_SMALL_PARTS && end < SMALL_PART * parts)
      return response.destroy(new Failed('too_complex'))
    // Copied, because each part would keep the whole read that it came with.
    if (end > bytes.length) bytes = grown(bytes, Math.max(end, 2 * bytes.length))
    bytes.set(part, length)
    length = end
  })
  try {
    await finished(response)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    throw code === 'ECONNRESET' ? new Failed('incomplete') : error
  }
  return { bytes: bytes.slice(0, length), digest: hash('sha256', bytes.subarray(0, length), 'hex') }
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

function validatorIn(header: string | undefined): string | null {
  return header !== undefined && header.length <= MAX_VALIDATOR ? header : null
}

function failureOf(error: unknown, signal: AbortSignal): BusyFailure {
  if (error instanceof Failed) return error.failure
  if (error instanceof RefusedAddress) return 'no_public_address'
  return signal.aborted ? 'timeout' : 'unreachable'
}

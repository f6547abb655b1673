import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { TestService } from './app.ts'
import type { Headings } from './client.ts'

/** A response with its original bytes: `fetch` would decompress them and request codings of its own. */
type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  /** The text, decompressed once by the response's coding. */
  readonly text: string
}

export type RawRequest = {
  readonly method?: string
  readonly headers: Headings
  readonly body?: string | Buffer
}

/** Sends exactly these headers and reads the bytes of the response. The path is relative to the service's root. */
export function askRaw(
  { url }: Pick<TestService, 'url'>,
  path: string,
  { method = 'GET', headers, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers }, async (answer) => {
      const bytes = await buffer(answer)
      const coding = answer.headers['content-encoding']
      const status = answer.statusCode ?? 0
      resolve({ status, headers: answer.headers, bytes, text: unpacked(bytes, coding) })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function unpacked(bytes: Buffer, coding: string | undefined): string {
  if (coding === undefined || bytes.length === 0) return bytes.toString()
  if (coding === 'gzip') return gunzipSync(bytes).toString()
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  throw new Error(`nobody asked for ${coding}`)
}

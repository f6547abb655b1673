import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { App } from '../service.ts'
import { tagWithCoding } from './entity-tag.ts'

const THRESHOLD_BYTES = 1024

/**
 * Compresses responses of routes added to this scope from now on, if longer than 1 kB and the client accepts gzip or brotli.
 * Streams are compressed as they flow. Responses with tokens need `compress: false` (BREACH: the length would reveal them).
 * Requests are never decompressed.
 */
export async function compressResponses(scope: App): Promise<void> {
  await scope.register(compress, {
    // The lowest levels: higher ones save a fiftieth of the bytes and take two to five times as long. At this quality a window
    // of more than 64 kB doubles the time, saves nothing, and takes megabytes for each response in progress.
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
    },
    zlibOptions: { level: 1 },
    encodings: ['br', 'gzip', 'identity'],
    threshold: THRESHOLD_BYTES,
    // This takes a tenth of a millisecond, less than the thread pool, which password hashing can fill for long.
    syncThreshold: 64 * 1024,
    globalDecompression: false,
  })
  scope.addHook('onRoute', (route) => {
    const hooks: readonly onSendHookHandler[] = [route.onSend ?? []].flat()
    // Fastify's first hook for HEAD removes the body. It must run last, or HEAD would differ from GET.
    const [last, rest] = route.method === 'HEAD' ? [hooks.slice(0, 1), hooks.slice(1)] : [[], hooks]
    route.onSend = [...[...rest, tagAsCoded].map(unlessShort), ...last]
  })
}

/** Skips a hook for short responses, which most are: negotiating the coding would take a fifth of the smallest one's time. */
function unlessShort(hook: onSendHookHandler): onSendHookHandler {
  return function (request, reply, payload, done) {
    return isShort(payload) ? done(null, payload) : hook.call(this, request, reply, payload, done)
  }
}

/** Whether a payload is below the threshold. Counts its bytes only if its characters do not decide. */
function isShort(payload: unknown): boolean {
  if (typeof payload !== 'string' || payload.length >= THRESHOLD_BYTES) return false
  return Buffer.byteLength(payload) < THRESHOLD_BYTES
}

/** Adds the coding to the entity tag: each coding needs its own strong tag (RFC 9110 §8.8.3.3). */
function tagAsCoded(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const [coding, tag] = [reply.getHeader('content-encoding'), reply.getHeader('etag')]
  if (typeof coding === 'string' && typeof tag === 'string') reply.header('etag', tagWithCoding(tag, coding))
  done(null, payload)
}

import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { App } from '../service.ts'
import { codedTag } from './entity-tag.ts'

const THRESHOLD_BYTES = 1024

/**
 * Compresses what the routes of this scope answer, those that are added from now on, if it has more than 1 kB and the
 * client takes gzip or brotli. A stream is compressed as it flows. What carries tokens must not be compressed (BREACH:
 * the length would tell of them): such a route says `compress: false`. Requests are never decompressed.
 */
export async function compressAnswers(scope: App): Promise<void> {
  await scope.register(compress, {
    // The lowest of both: higher ones save a fiftieth of the bytes for two to five times the time. At this quality a window of more
    // than 64 kB doubles the time, saves nothing, and takes megabytes for each answer that is being sent.
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 },
    },
    zlibOptions: { level: 1 },
    encodings: ['br', 'gzip', 'identity'],
    threshold: THRESHOLD_BYTES,
    // A tenth of a millisecond: cheaper than a turn in the thread pool, which the hashes of passwords can fill for long.
    syncThreshold: 64 * 1024,
    globalDecompression: false,
  })
  scope.addHook('onRoute', (route) => {
    const hooks: readonly onSendHookHandler[] = [route.onSend ?? []].flat()
    // Fastify has the first one take the body of HEAD away; it must come last, or HEAD would not say what GET says.
    const [last, rest] = route.method === 'HEAD' ? [hooks.slice(0, 1), hooks.slice(1)] : [[], hooks]
    route.onSend = [...[...rest, tagAsCoded].map(unlessShort), ...last]
  })
}

/** Most answers are short: what looks at their coding would take a fifth of the time of the smallest. */
function unlessShort(hook: onSendHookHandler): onSendHookHandler {
  return function (request, reply, payload, done) {
    return isShort(payload) ? done(null, payload) : hook.call(this, request, reply, payload, done)
  }
}

/** Counts the bytes of a text only where they can be fewer: it has at least as many as characters. */
function isShort(payload: unknown): boolean {
  if (typeof payload !== 'string' || payload.length >= THRESHOLD_BYTES) return false
  return Buffer.byteLength(payload) < THRESHOLD_BYTES
}

/** RFC 9110 §8.8.3.3: the same thing in another coding has another strong tag. */
function tagAsCoded(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const [coding, tag] = [reply.getHeader('content-encoding'), reply.getHeader('etag')]
  if (typeof coding === 'string' && typeof tag === 'string') reply.header('etag', codedTag(tag, coding))
  done(null, payload)
}

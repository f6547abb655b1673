import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { codedTag } from './entity-tag.ts'
import type { App } from './service.ts'

/**
 * Compresses what the routes of this scope answer, those that are added from now on, if it has more than 1 kB and the
 * client takes gzip or brotli. A stream is compressed as it flows. What carries tokens must not be compressed (BREACH:
 * the length would tell of them): such a route says `compress: false`. Requests are never decompressed.
 */
export async function compressAnswers(scope: App): Promise<void> {
  await scope.register(compress, {
    // The lowest of both: higher ones save a fiftieth of the bytes for two to five times the time.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
    encodings: ['br', 'gzip', 'identity'],
    threshold: 1024,
    // A tenth of a millisecond: cheaper than a turn in the thread pool, which the hashes of passwords can fill for long.
    syncThreshold: 64 * 1024,
    globalDecompression: false,
  })
  scope.addHook('onRoute', (route) => {
    const hooks: readonly onSendHookHandler[] = [route.onSend ?? []].flat()
    if (route.method !== 'HEAD') route.onSend = [...hooks, tagAsCoded]
    else {
      // Fastify has the first one take the body away; it must come last, or HEAD would not say what GET says.
      const [takeBody, ...others] = hooks
      route.onSend = [...others, tagAsCoded, ...(takeBody ? [takeBody] : [])]
    }
  })
}

/** RFC 9110 §8.8.3.3: the same thing in another coding has another strong tag. */
async function tagAsCoded(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const [coding, tag] = [reply.getHeader('content-encoding'), reply.getHeader('etag')]
  if (typeof coding === 'string' && typeof tag === 'string') reply.header('etag', codedTag(tag, coding))
  return payload
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../../contract/problem.ts'
import { underDeadline } from '../../db/connection/deadline.ts'
import { factsOf } from '../request-log.ts'
import { inSlices, SLICE_BYTES } from '../responses/slices.ts'
import type { App, Timeouts } from '../service.ts'
import { boundPipelines, isOverfull } from './pipelines.ts'
import { ResponseDeadline } from './response-deadline.ts'
import { breakOffSlowReaders } from './slow-readers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    deadline: ResponseDeadline
  }
}

/**
 * The default timeouts. `answer` exceeds the wait for the pool plus a query (`db/connection/connect.ts`) and is below the grace
 * of a stop (`cli/stopping.ts`). `reader` is longer, because the kernel buffers megabytes.
 */
export const TIMEOUTS: Timeouts = { turn: 1_000, answer: 9_000, reader: 30_000 }

/** The longest response that is written at once, measured with a week's list. A slow connection takes 16 s for it. */
const MAX_AT_ONCE = 2 * SLICE_BYTES

/**
 * Limits the time until a response begins, and the time and memory of slow clients. A whole response has no deadline.
 * Logs the requests that are broken off.
 */
export function boundWaits(app: App, timeouts: Timeouts): void {
  boundPipelines(app.server)
  const brokenOff = breakOffSlowReaders(app, timeouts)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const deadline = new ResponseDeadline(timeouts.answer, () => refuseLate(request, reply))
    request.deadline = deadline
    reply.raw.once('close', () => {
      deadline.end()
      if (reply.raw.writableFinished) return
      const reason =
        brokenOff.has(socket) || isOverfull(socket) ? 'the client takes nothing' : 'the client has left'
      request.log.info(factsOf(request, reply), `request broken off: ${reason}`)
    })
    done()
  })
  // Set after the queue: its callbacks run in the async context of the previous request.
  app.addHook('preHandler', ({ deadline }, _reply, done) => underDeadline(deadline, done))
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload)
    if (bytes <= SLICE_BYTES || !isOwn(reply)) return done(null, payload)
    const begin = () => {
      if (bytes <= MAX_AT_ONCE) return done(null, payload)
      reply.header('content-length', bytes)
      done(null, inSlices(Buffer.from(payload as string | Buffer)))
    }
    app.openResponses.enter(request, reply, bytes).then(begin, done)
  })
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * 3 <= SLICE_BYTES ? 0 : Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}

/** Whether a response is built for this request alone. Cacheable files are the same for everybody. */
function isOwn(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control')).includes('no-store')
}

/** Rejects a request if its response has not begun. If its body is incomplete, the client is late, not the service. */
function refuseLate(request: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.sent || reply.raw.headersSent) return false
  reply.send(request.raw.complete ? unavailable() : new Problem('request_timeout'))
  return true
}

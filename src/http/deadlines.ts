import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../contract/problem.ts'
import { factsOf } from './request-log.ts'
import type { App, Patience } from './service.ts'

/**
 * `answer` is above a wait for the pool and a query (`db/connect.ts`), below the grace of a stop (`cli/serve.ts`). `reader`
 * is longer: the kernel buffers megabytes, and says nothing of a slow reader until a third of them has gone.
 */
export const PATIENCE: Patience = { turn: 1_000, answer: 9_000, reader: 30_000 }

const SHORT_LENGTH = 4096

/**
 * Bounds the time until an answer begins, and the time that a client lets it lie; not the time of the whole, because a long
 * list takes as long as the client's line is slow. What breaks off has a line in the log.
 */
export function boundWaits(app: App, patience: Patience): void {
  const idle = new WeakSet<FastifyReply>()
  app.addHook('onRequest', (request, reply, done) => {
    const late = setTimeout(() => refuseLate(request, reply), patience.answer)
    reply.raw.once('close', () => {
      clearTimeout(late)
      if (reply.raw.writableFinished) return
      const reason = idle.has(reply) ? 'the client takes nothing' : 'the client has left'
      request.log.info(factsOf(request, reply), `request broken off: ${reason}`)
    })
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // The kernel takes a short answer whole, whether the client reads it or not.
    if (typeof payload !== 'string' || payload.length > SHORT_LENGTH) {
      reply.raw.setTimeout(patience.reader, () => {
        idle.add(reply)
        reply.raw.destroy()
      })
    }
    done(null, payload)
  })
}

/** The client is late if its body is not there yet: no fault of the service. */
function refuseLate(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return
  reply.send(request.raw.complete ? unavailable() : new Problem('request_timeout'))
}

import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../../contract/problem.ts'
import { underDeadline } from '../../db/connection/deadline.ts'
import { factsOf } from '../request-log.ts'
import { inSlices, SLICE_BYTES } from '../responses/slices.ts'
import type { App, Patience } from '../service.ts'
import { AnswerDeadline } from './answer-deadline.ts'
import { breakOffSlowReaders } from './slow-readers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The time until the answer must have begun. */
    deadline: AnswerDeadline
  }
}

/**
 * `answer` is above a wait for the pool and a query (`db/connection/connect.ts`), below the grace of a stop (`cli/serve.ts`). `reader`
 * is longer: the kernel buffers megabytes, and says nothing of a slow reader until a third of them has gone.
 */
export const PATIENCE: Patience = { turn: 1_000, answer: 9_000, reader: 30_000 }

/** Requests of one connection at once: browsers wait for each answer, and their answers would wait in memory for each other. */
const MOST_PIPELINED = 32

/**
 * Bounds the time until an answer begins, and the time and memory that clients cost which do not take it: a deadline for the whole
 * answer grows with what has been taken. What breaks off has a line in the log.
 */
export function boundWaits(app: App, patience: Patience): void {
  const brokenOff = breakOffSlowReaders(app, patience)
  const underWay = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const count = (underWay.get(socket) ?? 0) + 1
    underWay.set(socket, count)
    if (count > MOST_PIPELINED) {
      brokenOff.add(socket)
      socket.destroy()
      return
    }
    const deadline = new AnswerDeadline(patience.answer, () => refuseLate(request, reply))
    request.deadline = deadline
    reply.raw.once('close', () => {
      underWay.set(socket, (underWay.get(socket) ?? 1) - 1)
      deadline.end()
      if (reply.raw.writableFinished) return
      const reason = brokenOff.has(socket) ? 'the client takes nothing' : 'the client has left'
      request.log.info(factsOf(request, reply), `request broken off: ${reason}`)
    })
    done()
  })
  // Later than the lines in which requests wait: what is called from there belongs to the request that came before.
  app.addHook('preHandler', ({ deadline }, _reply, done) => underDeadline(deadline, done))
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload)
    if (bytes <= SLICE_BYTES || !isOwn(reply)) return done(null, payload)
    const begin = () => {
      reply.header('content-length', bytes)
      done(null, inSlices(Buffer.from(payload as string | Buffer)))
    }
    app.openAnswers.enter(request, reply, bytes).then(begin, done)
  })
}

/** The bytes of a payload that is there as a whole; 0 for a stream, whose routes enter it before they read. */
function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length * 3 <= SLICE_BYTES ? 0 : Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}

/** Whether an answer is made for its request: files that may be cached are the same bytes for everybody. */
function isOwn(reply: FastifyReply): boolean {
  return String(reply.getHeader('cache-control')).includes('no-store')
}

/** Refuses a request, unless its answer has begun. The client is late if its body is not there yet: no fault of the service. */
function refuseLate(request: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.sent || reply.raw.headersSent) return false
  reply.send(request.raw.complete ? unavailable() : new Problem('request_timeout'))
  return true
}

import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { ref } from '../../contract/fields.ts'
import { unavailable } from '../../contract/problem.ts'
import { problemBody, refuse } from './problems.ts'

/** One JSON object per line. */
const JSON_LINES = 'application/x-ndjson'

/** A function that sends a step of the work, without waiting for the client. */
export type ReportProgress<Progress> = (progress: Progress) => void

/** Returns the schema of a result as JSON, or as lines with progress for clients that accept them. */
export function inLines<Result extends TSchema>(result: Result, line: TSchema) {
  return Type.Unsafe<Static<Result>>({
    content: { 'application/json': { schema: ref(result) }, [JSON_LINES]: { schema: ref(line) } },
  })
}

export function wantsLines({ headers }: FastifyRequest): boolean {
  return headers.accept?.toLowerCase().includes(JSON_LINES) ?? false
}

/**
 * Sends a line for each step of the work, and its result or problem as the last one. A problem before the first step is an
 * ordinary response. The work keeps the request's turn, and has no deadline once the response has begun.
 */
export async function sendInLines<Progress>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (report: ReportProgress<Progress>) => Promise<unknown>,
): Promise<FastifyReply> {
  await request.server.openResponses.enter(request, reply)
  const lines = new JsonLines(reply)
  try {
    const result = await request.turn.keep(() => work((progress) => lines.send({ progress })))
    lines.send({ result })
  } catch (error) {
    if (!lines.haveBegun) throw error
    lines.send({ problem: problemBody(refuse(error, request, reply), request.id) })
  }
  lines.end()
  return reply
}

/** The lines of a response, which the first line begins. They are buffered, so that a slow client cannot delay the work. */
class JsonLines {
  readonly #reply: FastifyReply
  readonly #lines = new PassThrough()
  haveBegun = false

  constructor(reply: FastifyReply) {
    this.#reply = reply
  }

  send(line: Readonly<Record<string, unknown>>): void {
    if (!this.haveBegun) this.#begin()
    this.#lines.write(`${JSON.stringify(line)}\n`)
  }

  end(): void {
    this.#lines.end()
  }

  #begin(): void {
    // The deadline has already rejected the request.
    if (this.#reply.raw.headersSent) throw unavailable()
    this.haveBegun = true
    this.#reply.type(JSON_LINES).send(this.#lines)
  }
}

import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { DestinationStream } from 'pino'

/** How the service logs: a JSON object a line, times in UTC. Headers, bodies and query strings are never logged. */
export function loggerFor(level: string, stream?: DestinationStream) {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // The driver hangs its connection, cancel key included, on the errors that it raises.
    serializers: {
      err: ({ name, message, stack = '', code }: Error & { readonly code?: string }) => ({
        type: name,
        message,
        code,
        stack,
      }),
    },
    ...(stream ? { stream } : {}),
  }
}

/** One line a request, when it is answered: who asked for what, and how it went. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' })
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const facts = {
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
      tenant_id: request.session?.tenant.id,
      user_id: request.session?.user.id,
    }
    if (error) reply.log.error({ ...facts, err: error }, 'request failed')
    else reply.log.info(facts, 'request')
  }
}

import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { DestinationStream } from 'pino'
import { Problem } from '../contract/problem.ts'

/** Returns the service's logger: JSON lines, times in UTC. Headers, bodies and queries are never logged. */
export function loggerFor(level: string, stream?: DestinationStream) {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // The driver attaches its connection, cancel key included, to its errors.
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

/** Logs one line per request, after its response. */
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
    const facts = factsOf(request, reply)
    if (error) reply.log.error({ ...facts, err: error }, 'request failed')
    else if (isFile(request) && reply.statusCode < 400) reply.log.debug(facts, 'request')
    else reply.log.info(facts, 'request')
  }

  /** Logs why a response breaks off. If its client closed the connection, `deadlines.ts` logs that instead. */
  override streamError(
    error: Error & { readonly code?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const facts = { ...factsOf(request, reply), event: 'answer_broken_off' }
    // The client's session or link has ended, so nothing has failed.
    if (error instanceof Problem) reply.log.info({ ...facts, reason: error.code }, 'answer broken off')
    else reply.log.error({ ...facts, err: error }, 'answer broken off')
  }
}

/** Logs a change of the user's login, such as another passkey, address or school. */
export function logAccess(
  request: FastifyRequest,
  event: string,
  facts: Readonly<Record<string, string>> = {},
): void {
  const { user, tenant } = request.session
  request.log.info(
    { event, ip: request.ip, tenant_id: tenant.id, user_id: user.id, ...facts },
    event.replaceAll('_', ' '),
  )
}

export function factsOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    tenant_id: request.session?.tenant.id ?? request.linked?.tenant.id,
    user_id: request.session?.user.id,
  }
}

/** Whether the request is for a file of the web app. */
function isFile({ url }: FastifyRequest): boolean {
  return /^\/(?:assets\/|icon-|manifest\.webmanifest|sw\.js)/.test(url)
}

/** A link's secret, also in a truncated address or one with a slash at its end. */
const SECRET = /[\w-]{43,}/g

/** Returns the requested path, or the route's pattern if the path has a secret. */
function pathOf({ url, routeOptions }: FastifyRequest): string | undefined {
  const isSecret = routeOptions.url?.includes(':token')
  return isSecret ? routeOptions.url : url.split('?')[0]?.replace(SECRET, ':token')
}

import type { FastifyRequest } from 'fastify'
import type { RequestCheck } from '../load/queue-requests.ts'
import type { Service } from '../service.ts'
import { requireSameSession } from './authenticate.ts'
import { requireSameLink } from './open-link.ts'

/** Returns the check to run before each part of a response. It throws if the session or link has ended. */
export function readerChecks(service: Service): (request: FastifyRequest) => RequestCheck {
  return (request) => async (isFirst) => {
    if (!request.linked) return requireSameSession(request, service)
    if (!isFirst) await requireSameLink(request, service)
  }
}

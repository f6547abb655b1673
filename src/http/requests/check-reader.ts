import type { FastifyRequest } from 'fastify'
import type { RequestCheck } from '../load/queue-requests.ts'
import type { Service } from '../service.ts'
import { requireSameSession } from './authenticate.ts'
import { requireSameLink } from './open-link.ts'

/** Returns a check, before each part of a response, that its session or link has not ended. */
export function readerChecks(service: Service): (request: FastifyRequest) => RequestCheck {
  return (request) => async (isFirst) => {
    if (!request.linked) return requireSameSession(request, service)
    if (!isFirst) await requireSameLink(request, service)
  }
}

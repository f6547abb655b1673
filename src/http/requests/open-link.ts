import type { FastifyRequest } from 'fastify'
import { type LinkToken, readLinkToken } from '../../auth/link-token.ts'
import { notFound } from '../../contract/problem.ts'
import type { Student } from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type FoundOffer, findFollowedOffer } from '../../db/offers/offers-of-student.ts'
import type { Database } from '../../db/schema/tables.ts'
import { findTenant } from '../../db/school/tenants.ts'
import { type FoundFeed, type FoundPage, findFeed, findPage, recordLinkUse } from '../../db/students/links.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf } from '../load/queue-requests.ts'
import type { Service } from '../service.ts'
import { clientNetwork } from './client-network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The school of an opened link. */
    linked?: {
      readonly tenant: Tenant
      readonly feed?: FoundFeed
      readonly page?: FoundPage
      readonly offer?: FoundOffer
      /** The student of a link that ends messages. */
      readonly student?: Student
    }
  }
  interface FastifyContextConfig {
    /** The kind of link that the route needs instead of a login, with its secret in the parameter `:token`. */
    link?: keyof typeof FINDERS
  }
}

const FINDERS = {
  feed: async (db: Database, { tenantId, token_hash }: LinkToken) => {
    const feed = await findFeed(db, tenantId, token_hash)
    return feed && { feed }
  },
  page: async (db: Database, { tenantId, token_hash }: LinkToken) => {
    const page = await findPage(db, tenantId, token_hash)
    return page && { page }
  },
  offer: async (db: Database, { tenantId, token_hash }: LinkToken) => {
    const offer = await findFollowedOffer(db, tenantId, token_hash)
    return offer && { offer }
  },
} as const

/**
 * Loads a link's target in the line of requests without a school, because anybody can put a school's id into a token. Throws
 * the same `not_found` for every invalid link, and `too_many_requests` after too many of them.
 */
export async function openLink(request: FastifyRequest, service: Service): Promise<void> {
  const { link } = request.routeOptions.config
  const token = tokenOf(request)
  if (!link || !token) throw notFound()
  const network = clientNetwork(request)
  const { db } = service
  const linked = await inQueueOf(service, strangerFrom(network), () => findLinked(db, link, token))
  if (!linked) {
    // Counted only now: one stale calendar must not shut the right links of all others behind its network's address.
    service.unknownLinkCounter.requireBelowLimit(network)
    service.unknownLinkCounter.count(network)
    throw notFound()
  }
  request.linked = linked
  const { tenant } = linked
  if ('offer' in linked) return
  const { id, is_due } = 'feed' in linked ? linked.feed : linked.page
  // Not awaited, and errors are ignored, so that a read-only database still serves the page.
  if (is_due)
    inQueueOf(service, { school: tenant.id }, () => recordLinkUse(db, tenant.id, id)).catch(() => undefined)
}

/** Loads a link's target again after the request's body has arrived. Throws `not_found` if the link has ended meanwhile. */
export async function reopenLink(request: FastifyRequest, { db }: Service): Promise<void> {
  const { link } = request.routeOptions.config
  const token = tokenOf(request)
  const linked = link && token && (await findLinked(db, link, token))
  if (!linked) throw notFound()
  request.linked = linked
}

async function findLinked(db: Database, link: keyof typeof FINDERS, token: LinkToken) {
  const [found, tenant] = await Promise.all([FINDERS[link](db, token), findTenant(db, token.tenantId)])
  return found && tenant && { tenant, ...found }
}

/** Throws `not_found` if the link has ended since the response began. */
export async function requireSameLink(request: FastifyRequest, { db }: Service): Promise<void> {
  const { link } = request.routeOptions.config
  const token = tokenOf(request)
  if (!link || !token || !(await FINDERS[link](db, token))) throw notFound()
}

function tokenOf({ params }: FastifyRequest): LinkToken | undefined {
  return readLinkToken((params as { token?: string }).token ?? '')
}

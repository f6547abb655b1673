import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findGapCandidates } from '../../booking/lessons/find-gaps.ts'
import { acceptOffer, studentActor } from '../../booking/offers/accept-offer.ts'
import { makeOffer, withdrawOffer } from '../../booking/offers/offers.ts'
import { described, Id, LocalDateTime, ref } from '../../contract/fields.ts'
import {
  AcceptedOfferSchema,
  CandidateSchema,
  NewOfferSchema,
  OfferSchema,
  offerFaultsFor,
} from '../../contract/offer.ts'
import { invalidRequest, notFound } from '../../contract/problem.ts'
import { findOffer, listOffers } from '../../db/offers/offers.ts'
import { intervalFaultFor, skippedFaultsFor } from '../../domain/appointment-times.ts'
import { operation } from '../operation.ts'
import { linkedOffer, shownOffer, shownOffers } from '../pages/shown-offers.ts'
import { makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { expectedVersion, sendComputed, sendVersioned } from '../responses/entity-tag.ts'
import { sendItems, sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('offer')

/** Routes for free times: candidates, and offers to students. Responses carry secret links and are not compressed. */
export function offerRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/gaps',
    operation('gaps', {
      permission: 'plan',
      operationId: 'listGapCandidates',
      summary: 'List the students who could have a lesson in a free time, best first',
      description:
        'At most 200 students whose lesson the rules and their class allow: those with a matching wish first, then those without a wish who have open requirements and no lesson within 14 days; both by the time since the last lesson. A shorter wish is placed at the start. Empty for a time in the past.',
      returns: 'The students, or a page of them, each with the lesson to book and the reasons.',
      ...lists(
        CandidateSchema,
        {
          instructor_id: described(Id, 'The instructor who is free. 404 if unknown.'),
          start_at: described(LocalDateTime, 'The start of the free time, `YYYY-MM-DD HH:MM`.'),
          end_at: described(LocalDateTime, 'The end of the free time, at most 24 hours later.'),
        },
        403,
        404,
      ),
    }),
    async (request, reply) => {
      const { actor, query, slicer } = request
      requireTimes(query, actor.tenant.timezone)
      return sendItems(request, reply, await findGapCandidates(db, actor, query, slicer))
    },
  )

  app.get(
    '/offers',
    operation('gaps', {
      compress: false,
      permission: 'plan',
      operationId: 'listOffers',
      summary: 'List the offers of the school, newest first',
      description: 'The `state` is current: it depends on the clock and on calendars.',
      returns: 'The offers, or a page of them.',
      ...lists(OfferSchema, {}, 403),
    }),
    async (request, reply) => {
      const { actor, slicer } = request
      return sendList(
        request,
        reply,
        shownOffers(listOffers(db, actor.tenant.id), { app, service, actor }, slicer),
      )
    },
  )

  app.post(
    '/offers',
    operation('gaps', {
      compress: false,
      permission: 'plan',
      faultsFor: offerFaultsFor,
      operationId: 'makeOffer',
      summary: 'Offer a free time to several students; the first who accepts gets the lesson',
      description:
        'Send each student the link. Nothing is reserved: the offer closes when the time is booked otherwise. 409 with the broken rule if nobody could be booked, and `too_many_offers` if a student already got seven offers within seven days.',
      returns: 'The offer with a link for each student.',
      ...creates(NewOfferSchema, OfferSchema, 403, 404),
    }),
    async (request, reply) => {
      const { actor, body: offer } = request
      const urlOf = (token: string) => `${serviceUrl(app, service)}/o/${token}`
      const { value: stored, json } = await makeOnce(service, request, (key) =>
        makeOffer(db, actor, { offer, links: service.offerLinks, urlOf, key }),
      )
      const shown = linkedOffer(stored, { app, service, actor })
      reply.code(201).header('location', `${request.routeOptions.url}/${stored.id}`)
      const value = sendVersioned(reply, shown)
      // The stored response has no links, so they are added again.
      return json === undefined ? value : sendIdempotentResult(reply, { value, json: JSON.stringify(shown) })
    },
  )

  app.get(
    '/offers/:id',
    operation('gaps', {
      compress: false,
      permission: 'plan',
      operationId: 'getOffer',
      summary: 'Read an offer',
      description: 'The `state` is current.',
      returns: 'The offer with its links.',
      params,
      response: readable(ref(OfferSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const stored = await findOffer(db, actor.tenant.id, params.id)
      if (!stored) throw notFound()
      return sendComputed(request, reply, await shownOffer(stored, { app, service, actor }))
    },
  )

  app.delete(
    '/offers/:id',
    operation('gaps', {
      permission: 'plan',
      operationId: 'withdrawOffer',
      summary: 'Withdraw an offer',
      description: 'Its links end. An offer that has already ended does not change.',
      params,
      ...deletes('The offer is not open'),
    }),
    async (request, reply) =>
      sendNoContent(reply, withdrawOffer(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/offers/accept/:token',
    operation('gaps', {
      open: true,
      link: 'offer',
      operationId: 'acceptOffer',
      summary: 'Accept an offer',
      description:
        'The token is the only credential. The first student gets the lesson, and the same response on a repeat; all others get 409 `offer_gone`. A student who is busy at that time gets the 409 of the rule, and the offer stays open.',
      returns: 'The lesson.',
      params: Type.Object({
        token: Type.String({ description: 'The secret of the link that the school sent to the student.' }),
      }),
      response: responses({ 200: ref(AcceptedOfferSchema) }, 404, 409, 429, ...BODY),
    }),
    async (request) => acceptLinked(request, service),
  )
}

/** Accepts the offer of an opened link, as its student. */
export async function acceptLinked(request: FastifyRequest, { db, now }: Service) {
  const { tenant, offer } = request.linked ?? {}
  if (!tenant || !offer) throw notFound()
  return acceptOffer(db, studentActor(offer, { tenant, now: now(), set_id: request.id }), offer)
}

function requireTimes(
  { start_at, end_at }: { readonly start_at: string; readonly end_at: string },
  timezone: string,
): void {
  const order = intervalFaultFor({ start_at, end_at })
  const faults = [...skippedFaultsFor({ start_at, end_at }, timezone), ...(order ? [order] : [])]
  if (faults.length === 0) return
  throw invalidRequest(
    faults.map(({ field, code }) => ({
      pointer: `?${field}`,
      code,
      detail: `${field} is no time that can be booked from start_at on.`,
    })),
  )
}

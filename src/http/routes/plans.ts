import type { FastifyRequest } from 'fastify'
import { applyPlan } from '../../booking/plans/apply-plan.ts'
import type { PlanTurns } from '../../booking/plans/plan-lessons.ts'
import { planInThread } from '../../booking/plans/planner.ts'
import { changePlan, discardPlan, endOfDrafts, makePlan, replan } from '../../booking/plans/plans.ts'
import { newPlan, shownPlan } from '../../booking/plans/shown-plan.ts'
import { ref } from '../../contract/fields.ts'
import {
  AppliedPlanSchema,
  NewPlanSchema,
  PlanApplicationSchema,
  PlanChangeSchema,
  PlanSchema,
  planChangeFaultsFor,
  planFaultsFor,
  ReplanSchema,
} from '../../contract/plan.ts'
import { notFound } from '../../contract/problem.ts'
import { finishedLaterList } from '../../db/json-list.ts'
import { findPlan, listPlans, type StoredPlan } from '../../db/school/plans.ts'
import { operation } from '../operation.ts'
import { linkedOffer } from '../pages/shown-offers.ts'
import { makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { expectedVersion, ifMatch, intentOf, sendComputed, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('plan')
const permission = 'plan'

/** Routes for planned days: making, changing and applying plans. */
export function planRoutes(app: App, service: Service): void {
  readingRoutes(app, service)
  makingRoutes(app, service)
  changingRoutes(app, service)
}

function readingRoutes(app: App, { db }: Service): void {
  app.get(
    '/plans',
    operation('plans', {
      permission,
      operationId: 'listPlans',
      summary: 'List the plans of the school, newest first',
      description:
        'Without discarded ones, and without drafts whose last day was 14 days ago. The `state` is current: it depends on what is booked.',
      returns: 'The plans, or a page of them.',
      ...lists(PlanSchema, {}, 403),
    }),
    async (request, reply) => {
      const { actor, slicer } = request
      const stored = listPlans(db, actor.tenant.id, { ended: endOfDrafts(actor) })
      const shown = finishedLaterList<StoredPlan>(stored, async (rows) => {
        const plans = []
        for (const one of rows) plans.push(await shownPlan(db, actor, one, slicer))
        return plans
      })
      return sendList(request, reply, shown)
    },
  )

  app.get(
    '/plans/:id',
    operation('plans', {
      permission,
      operationId: 'getPlan',
      summary: 'Read a plan',
      description: 'The `state` is current. A discarded plan is 404.',
      returns: 'The plan, with the lessons that no longer fit.',
      params,
      response: readable(ref(PlanSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params, slicer } = request
      const stored = await findPlan(db, {
        tenantId: actor.tenant.id,
        ended: endOfDrafts(actor),
        id: params.id,
      })
      if (!stored) throw notFound()
      return sendComputed(request, reply, await shownPlan(db, actor, stored, slicer))
    },
  )
}

function makingRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/plans',
    operation('plans', {
      permission,
      faultsFor: planFaultsFor,
      operationId: 'makePlan',
      summary: 'Plan the lessons of some days',
      description:
        'Looks for the plan with the most points among all that the rules allow, for the students who have wishes or an availability. Nothing is booked and nobody hears of it. All proposed lessons together could be booked now, and nobody who is left out has a free start beside them. One plan at a time per school: 409 `plan_in_progress`.',
      returns: 'The plan with its figures, and the reason for each lesson that is missing.',
      ...creates(NewPlanSchema, PlanSchema, 403, 404),
    }),
    async (request, reply) => {
      const { actor, body } = request
      const { value: stored, json } = await makeOnce(service, request, (key) =>
        makePlan(db, actor, body, { ...turnsOf(request), key }),
      )
      const shown = newPlan(stored)
      reply.code(201).header('location', `${request.routeOptions.url}/${stored.id}`)
      const value = sendVersioned(reply, shown)
      return json === undefined ? value : sendIdempotentResult(reply, { value, json: JSON.stringify(shown) })
    },
  )

  app.post(
    '/plans/:id/replan',
    operation('plans', {
      permission,
      operationId: 'replan',
      summary: 'Plan again around the locked lessons',
      description:
        'With what is booked and wished now. What was dropped stays away unless `forget` is true. 409 `plan_applied` for a plan that has been applied.',
      returns: 'The plan as changed.',
      params,
      headers: ifMatch,
      body: ref(ReplanSchema),
      sends: ['ETag'],
      response: responses({ 200: ref(PlanSchema) }, 401, 403, 404, 409, 412, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const stored = await replan(db, actor, params.id, { ...intentOf(request), ...turnsOf(request) })
      return sendVersioned(reply, newPlan(stored))
    },
  )
}

function changingRoutes(app: App, service: Service): void {
  const { db } = service

  app.patch(
    '/plans/:id',
    operation('plans', {
      permission,
      faultsFor: planChangeFaultsFor,
      operationId: 'changePlan',
      summary: 'Lock, drop or move lessons of a draft',
      description:
        'Moves are judged together, beside everything else in the plan: 409 with the broken rule and `params.proposed_id`. A moved lesson is locked. A dropped one leaves its student with one lesson less in that week.',
      returns: 'The plan as changed.',
      params,
      ...changes(PlanChangeSchema, PlanSchema, 404, 409),
    }),
    async (request, reply) => {
      const { actor, params, slicer } = request
      const stored = await changePlan(db, actor, params.id, { ...intentOf(request), slicer })
      return sendVersioned(reply, await shownPlan(db, actor, stored, slicer))
    },
  )

  app.delete(
    '/plans/:id',
    operation('plans', {
      permission,
      operationId: 'discardPlan',
      summary: 'Discard a plan',
      description:
        '409 `plan_applied` for a plan that has been applied: undo its set of changes. 409 `plan_in_progress` while it is being applied.',
      params,
      ...deletes('The plan is discarded', 409),
    }),
    async (request, reply) =>
      sendNoContent(reply, discardPlan(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/plans/:id/apply',
    operation('plans', {
      compress: false,
      permission,
      operationId: 'applyPlan',
      summary: 'Book the lessons of a plan, or offer them',
      description:
        'Each lesson is an ordinary booking, or an offer to its student, in a transaction of its own; all are one set of changes, which an undo takes back. 409 `plan_outdated` if some no longer fit, unless `despite_changes` is true. After an interruption, send it again: it books the rest. A plan that has been applied returns the same answer.',
      returns: 'The lessons or offers, and the lessons that were refused.',
      params,
      body: ref(PlanApplicationSchema),
      response: responses({ 200: ref(AppliedPlanSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async (request) => {
      const { actor, params, body: application } = request
      const urlOf = (token: string) => `${serviceUrl(app, service)}/o/${token}`
      const links = service.offerLinks
      const applied = await applyPlan(db, actor, params.id, {
        application,
        links,
        urlOf,
        ...turnsOf(request),
      })
      return { ...applied, offers: applied.offers.map((one) => linkedOffer(one, { app, service, actor })) }
    },
  )
}

/** Returns the ways in which a request plans: the school's other requests go on while it searches, and between lessons. */
function turnsOf({ actor, turn, deadline, slicer }: FastifyRequest): PlanTurns {
  return {
    slicer,
    search: (order) => {
      turn.giveBack()
      return deadline.beside(() => planInThread(actor.tenant.id, order))
    },
    inTurn: (work) => {
      turn.giveBack()
      return turn.read(work)
    },
  }
}

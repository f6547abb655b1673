import { Type } from 'typebox'
import { ownOf, visibleTo } from '../../auth/may.ts'
import { askForSchedule, decideScheduleRequest } from '../../booking/schedule-requests.ts'
import { closed, Id, ref } from '../../contract/fields.ts'
import {
  NewScheduleRequestSchema,
  ScheduleRequestChangeSchema,
  ScheduleRequestSchema,
  ScheduleRequestStatusSchema,
  scheduleRequestFaultsFor,
} from '../../contract/schedule-request.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { listScheduleRequests, requireScheduleRequest } from '../../db/schedule-requests.ts'
import { answers, BODY, empty } from '../answers.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../entity-tag.ts'
import { idempotencyKey, makeOnce, sendMade } from '../idempotency.ts'
import { pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

const tags = ['schedule requests']
const params = Type.Object({ id: Id })

/** Routes for instructors' requests to the office, and the decisions on them. */
export function scheduleRequestRoutes(app: App, service: Service): void {
  listRoute(app, service)
  askRoute(app, service)
  readRoute(app, service)
  decideRoute(app, service)
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/schedule-requests',
    {
      config: { may: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'listScheduleRequests',
        summary: 'List what instructors have asked for, newest first',
        querystring: closed({
          status: Type.Optional(ScheduleRequestStatusSchema),
          instructor_id: Type.Optional(Id),
          ...pageParameters,
        }),
        response: answers({ 200: Type.Array(ref(ScheduleRequestSchema)), 304: empty('Not modified') }, 401),
      },
    },
    async (request, reply) => {
      const { actor, query } = request
      const { status, instructor_id } = query
      const filter = { ...(status && { status }), ...(instructor_id && { instructor_id }), ...ownOf(actor) }
      return sendList(request, reply, listScheduleRequests(db, actor.tenant.id, filter))
    },
  )
}

function askRoute(app: App, service: Service): void {
  app.post(
    '/schedule-requests',
    {
      config: { may: 'ask_the_office', faultsFor: scheduleRequestFaultsFor },
      schema: {
        tags,
        operationId: 'askForSchedule',
        summary: 'Ask the office for days off, or for other working hours',
        headers: idempotencyKey,
        body: ref(NewScheduleRequestSchema),
        response: answers({ 201: ref(ScheduleRequestSchema) }, 401, 404, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const make = (key?: IdempotencyKey) => askForSchedule(service.db, request.actor, request.body, key)
      return sendMade(request, reply, await makeOnce(service, request, make))
    },
  )
}

function readRoute(app: App, { db }: Service): void {
  app.get(
    '/schedule-requests/:id',
    {
      config: { may: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'getScheduleRequest',
        summary: 'Read a request',
        params,
        response: answers({ 200: ref(ScheduleRequestSchema), 304: empty('Not modified') }, 401, 404),
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const asked = await requireScheduleRequest(db, actor.tenant.id, params.id)
      return sendVersioned(request, reply, visibleTo(actor, asked))
    },
  )
}

function decideRoute(app: App, { db }: Service): void {
  app.patch(
    '/schedule-requests/:id',
    {
      config: { may: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'decideScheduleRequest',
        summary: 'Accept, decline or withdraw an open request',
        description: 'What is accepted becomes a vacation, or the working hours, of the instructor at once.',
        params,
        headers: ifMatch,
        body: ref(ScheduleRequestChangeSchema),
        response: answers({ 200: ref(ScheduleRequestSchema) }, 401, 403, 404, 409, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { change: body, isExpected: expectedVersion(request) }
      return sendVersioned(request, reply, await decideScheduleRequest(db, actor, params.id, intent))
    },
  )
}

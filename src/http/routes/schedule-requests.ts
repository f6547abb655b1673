import { Type } from 'typebox'
import { ownOf, visibleTo } from '../../auth/permissions.ts'
import { askForSchedule, decideScheduleRequest } from '../../booking/schedule-requests.ts'
import { closed, described, Id, ref } from '../../contract/fields.ts'
import {
  NewScheduleRequestSchema,
  ScheduleRequestChangeSchema,
  ScheduleRequestSchema,
  ScheduleRequestStatusSchema,
  scheduleRequestFaultsFor,
} from '../../contract/schedule-request.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { listScheduleRequests, requireScheduleRequest } from '../../db/schedule-requests.ts'
import { idempotencyKey, makeOnce, sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../responses/entity-tag.ts'
import { pageParameters, sendList } from '../responses/list-reply.ts'
import { BODY, noContent, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const tags = ['schedule requests']
const params = pathId('request')

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
      config: { permission: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'listScheduleRequests',
        summary: 'List the requests of instructors, newest first',
        description:
          "Use it as the office's list of requests to decide. An instructor gets only their own requests.",
        returns: 'The requests, or a page of them.',
        querystring: closed({
          status: Type.Optional(described(ScheduleRequestStatusSchema, 'Only requests in this state.')),
          instructor_id: Type.Optional(described(Id, 'Only requests of this instructor.')),
          ...pageParameters,
        }),
        response: responses(
          { 200: Type.Array(ref(ScheduleRequestSchema)), 304: noContent('You have the current version') },
          401,
        ),
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
      config: { permission: 'ask_the_office', faultsFor: scheduleRequestFaultsFor },
      schema: {
        tags,
        operationId: 'askForSchedule',
        summary: 'Ask the office for days off, or for other working hours',
        description:
          'Send either both dates or the hours of a week. Nothing changes in the calendar until the office accepts.',
        returns: 'The open request.',
        headers: idempotencyKey,
        body: ref(NewScheduleRequestSchema),
        sends: ['Location', 'ETag'],
        response: responses({ 201: ref(ScheduleRequestSchema) }, 401, 404, 409, 422, ...BODY),
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
      config: { permission: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'getScheduleRequest',
        summary: 'Read a request',
        description: 'Instructors read only their own requests; every other one is 404.',
        returns: 'The request.',
        params,
        response: responses(
          { 200: ref(ScheduleRequestSchema), 304: noContent('You have the current version') },
          401,
          404,
        ),
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
      config: { permission: 'ask_the_office' },
      schema: {
        tags,
        operationId: 'decideScheduleRequest',
        summary: 'Accept, decline or withdraw an open request',
        description:
          "Owners and the office accept or decline; an instructor may only withdraw. Accepting changes the instructor's vacations or hours at once; 409 `already_decided` for a request that is decided otherwise.",
        returns: 'The request as decided.',
        params,
        headers: ifMatch,
        body: ref(ScheduleRequestChangeSchema),
        sends: ['ETag'],
        response: responses({ 200: ref(ScheduleRequestSchema) }, 401, 403, 404, 409, 412, ...BODY),
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { change: body, isExpected: expectedVersion(request) }
      return sendVersioned(request, reply, await decideScheduleRequest(db, actor, params.id, intent))
    },
  )
}

import { Type } from 'typebox'
import { ownOf, visibleTo } from '../../auth/permissions.ts'
import { createScheduleRequest, decideScheduleRequest } from '../../booking/schedule-requests.ts'
import { described, Id, ref } from '../../contract/fields.ts'
import {
  NewScheduleRequestSchema,
  ScheduleRequestChangeSchema,
  ScheduleRequestSchema,
  ScheduleRequestStatusSchema,
  scheduleRequestFaultsFor,
} from '../../contract/schedule-request.ts'
import { listScheduleRequests, requireScheduleRequest } from '../../db/schedule-requests.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { intentOf, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { readable } from '../responses/responses.ts'
import { changes, creates, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('request')

export function scheduleRequestRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/schedule-requests',
    operation('schedule requests', {
      permission: 'ask_the_office',
      operationId: 'listScheduleRequests',
      summary: 'List the requests of instructors, newest first',
      description: 'Use it to show the office its open requests. Instructors get only their own.',
      returns: 'The requests, or a page of them.',
      ...lists(ScheduleRequestSchema, {
        status: Type.Optional(described(ScheduleRequestStatusSchema, 'Only requests in this state.')),
        instructor_id: Type.Optional(described(Id, 'Only requests of this instructor.')),
      }),
    }),
    async (request, reply) => {
      const { actor, query } = request
      const { status, instructor_id } = query
      const filter = { ...(status && { status }), ...(instructor_id && { instructor_id }), ...ownOf(actor) }
      return sendList(request, reply, listScheduleRequests(db, actor.tenant.id, filter))
    },
  )

  app.post(
    '/schedule-requests',
    operation('schedule requests', {
      permission: 'ask_the_office',
      faultsFor: scheduleRequestFaultsFor,
      operationId: 'createScheduleRequest',
      summary: 'Request days off or other working hours',
      description:
        'Send either both dates or the hours of a week. Nothing changes in the calendar until the office accepts.',
      returns: 'The open request.',
      ...creates(NewScheduleRequestSchema, ScheduleRequestSchema, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => createScheduleRequest(db, request.actor, request.body, key)),
  )

  app.get(
    '/schedule-requests/:id',
    operation('schedule requests', {
      permission: 'ask_the_office',
      operationId: 'getScheduleRequest',
      summary: 'Read a request',
      description: 'Instructors can read only their own requests; others are 404.',
      returns: 'The request.',
      params,
      response: readable(ref(ScheduleRequestSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const asked = await requireScheduleRequest(db, actor.tenant.id, params.id)
      return sendVersioned(reply, visibleTo(actor, asked))
    },
  )

  app.patch(
    '/schedule-requests/:id',
    operation('schedule requests', {
      permission: 'ask_the_office',
      operationId: 'decideScheduleRequest',
      summary: 'Accept, decline or withdraw an open request',
      description:
        "Owners and the office accept or decline; an instructor may only withdraw. Accepting changes the instructor's vacations or hours at once; 409 `already_decided` if the request was decided differently.",
      returns: 'The request as decided.',
      params,
      ...changes(ScheduleRequestChangeSchema, ScheduleRequestSchema, 404, 409),
    }),
    async (request, reply) =>
      sendVersioned(
        reply,
        await decideScheduleRequest(db, request.actor, request.params.id, intentOf(request)),
      ),
  )
}

import { Type } from 'typebox'
import { ownOf, visibleTo } from '../../auth/permissions.ts'
import { createScheduleRequest, decideScheduleRequest } from '../../booking/school/schedule-requests.ts'
import { described, Id } from '../../contract/fields.ts'
import {
  NewScheduleRequestSchema,
  type ScheduleRequest,
  ScheduleRequestStatusSchema,
  scheduleRequestFaultsFor,
} from '../../contract/schedule-request.ts'
import {
  listScheduleRequests,
  requireScheduleRequest,
  SCHEDULE_REQUESTS,
} from '../../db/school/schedule-requests.ts'
import { resourceRoutes } from '../resource-routes.ts'
import type { App, Service } from '../service.ts'

export function scheduleRequestRoutes(app: App, service: Service): void {
  resourceRoutes(app, service, {
    path: '/schedule-requests',
    tag: 'schedule requests',
    noun: 'request',
    reads: 'ask_the_office',
    writes: 'ask_the_office',
    rows: SCHEDULE_REQUESTS,
    list: {
      run: (db, actor, { status, instructor_id }) => {
        const filter = {
          ...(status && { status: status as ScheduleRequest['status'] }),
          ...(instructor_id && { instructor_id }),
          ...ownOf(actor),
        }
        return listScheduleRequests(db, actor.tenant.id, filter)
      },
      filters: {
        status: Type.Optional(described(ScheduleRequestStatusSchema, 'Only requests in this state.')),
        instructor_id: Type.Optional(described(Id, 'Only requests of this instructor.')),
      },
      operationId: 'listScheduleRequests',
      summary: 'List the requests of instructors, newest first',
      description: 'Use it to show the office its open requests. Instructors get only their own.',
    },
    add: {
      run: createScheduleRequest,
      body: NewScheduleRequestSchema,
      faultsFor: scheduleRequestFaultsFor,
      refuses: [404],
      operationId: 'createScheduleRequest',
      summary: 'Request days off or other working hours',
      description:
        'Send either both dates or the hours of a week. Nothing changes in the calendar until the office accepts.',
      returns: 'The open request.',
    },
    get: {
      run: async (db, actor, id) => visibleTo(actor, await requireScheduleRequest(db, actor.tenant.id, id)),
      operationId: 'getScheduleRequest',
      summary: 'Read a request',
      description: 'Instructors can read only their own requests; others are 404.',
    },
    change: {
      run: decideScheduleRequest,
      refuses: [409],
      operationId: 'decideScheduleRequest',
      summary: 'Accept, decline or withdraw an open request',
      description:
        "Owners and the office accept or decline; an instructor may only withdraw. Accepting changes the instructor's vacations or hours at once; 409 `already_decided` if the request was decided differently.",
      returns: 'The request as decided.',
    },
  })
}

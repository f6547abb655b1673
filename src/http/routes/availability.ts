import { Type } from 'typebox'
import {
  deleteAvailability,
  readAvailability,
  withFits,
  writeAvailability,
} from '../../booking/students/availability.ts'
import { AvailabilitySchema, NewAvailabilitySchema, weekFaultFor } from '../../contract/availability.ts'
import { AvailabilityRoundSchema } from '../../contract/availability-round.ts'
import { ref } from '../../contract/fields.ts'
import { invalidRequest } from '../../contract/problem.ts'
import { findRound } from '../../db/messages/availability-rounds.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const week = {
  week_start: Type.String({ description: 'The Monday of the week, `YYYY-MM-DD`; anything else is 400.' }),
}
const params = Type.Object({ ...pathId('student').properties, ...week })

/** Routes for the weeks in which students can come. */
export function availabilityRoutes(app: App, { db }: Service): void {
  const path = '/students/:id/availability/:week_start'

  app.get(
    '/availability-rounds/:week_start',
    operation('gaps', {
      permission: 'plan',
      operationId: 'getAvailabilityRound',
      summary: 'Read how many students were asked when they can come in a week, and how many have answered',
      description: 'The time of the weekly round is `availability_round` of the school.',
      returns: 'The round of the week, or null if none is planned and none took place.',
      params: Type.Object(week),
      response: readable(ref(AvailabilityRoundSchema), 401, 403),
    }),
    async (request, reply) => {
      const monday = mondayIn(request.params.week_start)
      const round = await findRound(db, request.actor.tenant.id, monday)
      return sendWhole(request, reply, JSON.stringify({ round: round ?? null }))
    },
  )

  app.get(
    path,
    operation('gaps', {
      permission: 'plan',
      operationId: 'getAvailability',
      summary: 'Read when a student can come in a week',
      description: '404 if there is no answer for the week: then the wishes of the student hold.',
      returns: 'The answer, with whether a lesson could be booked now in each of its times.',
      params,
      response: readable(ref(AvailabilitySchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params, slicer } = request
      const availability = await readAvailability(db, actor, weekOf(params), slicer)
      return sendWhole(request, reply, JSON.stringify(availability))
    },
  )

  app.put(
    path,
    operation('gaps', {
      permission: 'plan',
      operationId: 'writeAvailability',
      summary: 'Enter when a student can come in a week, or replace the answer before',
      description:
        'Stands in place of the wishes for that week. A time in which no lesson could be booked is stored all the same, and `fits` names it.',
      returns: 'The answer, with whether a lesson could be booked now in each of its times.',
      params,
      body: ref(NewAvailabilitySchema),
      response: responses({ 200: ref(AvailabilitySchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params, body, slicer }) => {
      const week = weekOf(params)
      const choice = await writeAvailability(db, actor, week, () => body)
      return withFits(db, actor, week, { choice, slicer })
    },
  )

  app.delete(
    path,
    operation('gaps', {
      permission: 'plan',
      operationId: 'deleteAvailability',
      summary: 'Take back when a student can come in a week',
      description: 'The wishes of the student hold again. 404 if there is no answer for the week.',
      params,
      response: responses({ 204: noContent('The answer is taken back') }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params }, reply) => sendNoContent(reply, deleteAvailability(db, actor, weekOf(params))),
  )
}

/** Returns the student and the week. Throws `invalid_request` if the week does not begin on a Monday. */
function weekOf({ id, week_start }: { readonly id: string; readonly week_start: string }) {
  return { student_id: id, week_start: mondayIn(week_start) }
}

function mondayIn(week_start: string): string {
  const fault = weekFaultFor(week_start)
  if (fault) throw invalidRequest([fault])
  return week_start
}

import { Type } from 'typebox'
import { requireProof } from '../../auth/proof.ts'
import { endHold, holdStudent } from '../../booking/students/holds.ts'
import { previewRetention } from '../../booking/students/retention.ts'
import { runRetention } from '../../booking/students/run-retention.ts'
import { closed, described, LocalDate, ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import {
  HoldSchema,
  NewHoldSchema,
  NewRetentionRunSchema,
  RetentionRunSchema,
  RetentionSchema,
} from '../../contract/retention.ts'
import { findHold } from '../../db/students/holds.ts'
import { listRuns } from '../../db/students/retention-runs.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { jsonInSteps } from '../responses/json-steps.ts'
import { sendList, sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'
import { asTableOwner } from './erasures.ts'

const params = pathId('student')
const query = closed({
  on: Type.Optional(described(LocalDate, 'The day to look at, by default today: a run judges today.')),
})

/** The time after which a run responds, and leaves the rest to the next request. */
const RUN_MS = 5_000

/** Routes for the end of the time for which students are kept. */
export function retentionRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students/:id/hold',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'getHold',
      summary: 'Get the hold of a student, also of a deleted one',
      description: 'A hold whose last day is over is still there, but does not hinder an erasure.',
      returns: 'The hold; 404 if there is none.',
      params,
      response: readable(ref(HoldSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const hold = await findHold(db, request.actor.tenant.id, request.params.id)
      if (!hold) throw notFound()
      return sendWhole(request, reply, JSON.stringify(hold))
    },
  )

  app.put(
    '/students/:id/hold',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'setHold',
      summary: 'Hold a student, or replace the hold',
      description:
        'Use it while a dispute lasts: nobody erases the student until the hold ends (409 `on_hold`). A deleted student can be held, too, but not a restricted one.',
      returns: 'The hold.',
      params,
      body: ref(NewHoldSchema),
      response: responses({ 200: ref(HoldSchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params, body }) => holdStudent(db, actor, params.id, body),
  )

  app.delete(
    '/students/:id/hold',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'endHold',
      summary: 'End the hold of a student',
      description: '404 if there is none.',
      params,
      response: responses({ 204: noContent('The hold is ended') }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params }, reply) => sendNoContent(reply, endHold(db, actor, params.id)),
  )

  app.get(
    '/retention',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'previewRetention',
      summary: 'List the students whose time is over on a day, and those who stay',
      description:
        'Use it before a run. The time begins with the last day of instruction of an ended enrolment, without any with its end; without an enrolment and a lesson, with the last activity. The rule is that of the country; without one nothing is ever due.',
      returns: 'The preview, with the digest that a run needs.',
      querystring: query,
      response: readable(ref(RetentionSchema), 401, 403),
    }),
    async (request, reply) => {
      const { actor, query, turn, slicer } = request
      const preview = await previewRetention(db, actor, query.on, (part) => turn.read(part))
      return sendWhole(request, reply, await slicer.run(jsonInSteps(preview)))
    },
  )

  app.get(
    '/retention/runs',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'listRetentionRuns',
      summary: 'List the runs, the newest first',
      description: 'They have counts and ids, but no names.',
      returns: 'The runs, or a page of them.',
      ...lists(RetentionRunSchema, {}, 403),
    }),
    async (request, reply) => sendList(request, reply, listRuns(db, request.actor.tenant.id)),
  )

  app.post(
    '/retention/runs',
    operation('retention', {
      permission: 'run_the_school',
      operationId: 'runRetention',
      summary: 'Erase the students of a preview; needs a recent proof',
      description:
        'Only for owners, with a proof of the last five minutes (`POST /auth/proof`). Each student is looked at again and erased, or restricted where the record must stay, in a transaction of its own. After some seconds it responds even if students are left (`not_reached`): send the same request again, with another key, until `finished_at` is set. An interrupted run is continued likewise. 409 `preview_outdated` if others are due today than in the preview.',
      returns: 'The run.',
      headers: idempotencyKey,
      body: ref(NewRetentionRunSchema),
      response: responses({ 200: ref(RetentionRunSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session, body } = request
      await requireProof(db, session)
      const end = performance.now() + RUN_MS
      const mayContinue = () => performance.now() < end
      const result = await makeOnce(service, request, (key) =>
        asTableOwner(service, (owner) => runRetention(owner, actor, body, { key, mayContinue })),
      )
      const counts = Object.entries(result.value.counts).map(([name, count]) => [name, String(count)])
      logAccess(request, 'retention_run', { run_id: result.value.id, ...Object.fromEntries(counts) })
      return sendIdempotentResult(reply, result)
    },
  )
}

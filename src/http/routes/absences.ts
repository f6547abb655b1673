import { planAbsence } from '../../booking/plan-absence.ts'
import { recordAbsence } from '../../booking/record-absence.ts'
import {
  AbsencePlanSchema,
  AbsenceRequestSchema,
  AbsenceSetSchema,
  absenceFaultsFor,
  decidedAbsenceFaultsFor,
  NewAbsencePlanSchema,
} from '../../contract/absence-plan.ts'
import { ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('instructor')

export function absenceRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/instructors/:id/absence-plan',
    operation('instructors', {
      permission: 'plan',
      faultsFor: absenceFaultsFor,
      operationId: 'planAbsence',
      summary: 'List the lessons during an absence, with substitutes and other times',
      description:
        'Use it when an instructor falls ill. Nothing is written or reserved. The proposals fit together, and `POST /instructors/{id}/absences` accepts them as decisions.',
      returns: 'The planned lessons during the absence, by start.',
      params,
      body: ref(AbsenceRequestSchema),
      response: responses({ 200: ref(AbsencePlanSchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params, body, pieces }) =>
      planAbsence(db, actor, { id: params.id, absence: body }, pieces),
  )

  app.post(
    '/instructors/:id/absences',
    operation('instructors', {
      permission: 'plan',
      faultsFor: decidedAbsenceFaultsFor,
      operationId: 'recordAbsence',
      summary: 'Store an absence with a decision on each lesson during it, all or nothing',
      description:
        'The decisions must cover exactly the lessons of the plan, otherwise 409 `plan_outdated`. They are checked together, so that two lessons may swap; a broken rule is a 409 whose `params` name the `decision_appointment_id`. One undo of the set takes all of it back.',
      returns: 'The set, and the lessons as they are now.',
      params,
      headers: idempotencyKey,
      body: ref(NewAbsencePlanSchema),
      response: responses({ 200: ref(AbsenceSetSchema) }, 401, 403, 404, 409, 412, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const result = await makeOnce(service, request, (key) =>
        recordAbsence(service.db, actor, { id: params.id, absence: body, key }),
      )
      return sendIdempotentResult(reply, result)
    },
  )
}

import { Type } from 'typebox'
import { cancelAppointment, decideFee } from '../../booking/lessons/cancel-appointment.ts'
import { AppointmentSchema } from '../../contract/appointment.ts'
import { FeeDecisionSchema, NewCancellationSchema } from '../../contract/cancellation.ts'
import { ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../responses/entity-tag.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

export function cancellationRoutes(app: App, service: Service): void {
  app.post(
    '/appointments/:id/cancel',
    operation('appointments', {
      permission: 'book',
      operationId: 'cancelAppointment',
      summary: 'Cancel an appointment, with party, reason and fee',
      description:
        "The school's `cancellation_policy` proposes whether it is late and the fee; `charge` decides. Illness and a cancellation by the school propose none. Planning the lesson again, or an undo, removes the cancellation.",
      returns: 'The appointment as cancelled.',
      params: pathId('appointment'),
      headers: Type.Object({ ...ifMatch.properties, ...idempotencyKey.properties }),
      body: ref(NewCancellationSchema),
      sends: ['ETag'],
      response: responses({ 200: ref(AppointmentSchema) }, 401, 403, 404, 409, 412, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const isExpected = expectedVersion(request)
      const result = await makeOnce(service, request, (key) =>
        cancelAppointment(service.db, actor, params.id, { given: body, isExpected, key }),
      )
      return sendIdempotentResult(reply, { ...result, value: sendVersioned(reply, result.value) })
    },
  )

  app.put(
    '/appointments/:id/fee',
    operation('appointments', {
      permission: 'book',
      operationId: 'decideFee',
      summary: 'Decide anew on the fee of a cancellation or a no-show',
      description:
        'Use it to waive a fee, or to charge one, without undoing the cancellation. 409 `not_cancelled` if the appointment has no cancellation and is no no-show of a student.',
      returns: 'The appointment.',
      params: pathId('appointment'),
      headers: ifMatch,
      body: ref(FeeDecisionSchema),
      sends: ['ETag'],
      response: responses({ 200: ref(AppointmentSchema) }, 401, 403, 404, 409, 412, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const isExpected = expectedVersion(request)
      return sendVersioned(reply, await decideFee(service.db, actor, params.id, { ...body, isExpected }))
    },
  )
}

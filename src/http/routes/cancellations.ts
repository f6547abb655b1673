import { Type } from 'typebox'
import { cancelAppointment } from '../../booking/cancel-appointment.ts'
import { AppointmentSchema } from '../../contract/appointment.ts'
import { NewCancellationSchema } from '../../contract/cancellation.ts'
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
}

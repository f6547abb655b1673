import { bookBatch } from '../../booking/lessons/book-batch.ts'
import { BatchSchema, batchFaultsFor, NewBatchSchema } from '../../contract/batch.ts'
import { ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

export function batchRoutes(app: App, service: Service): void {
  app.post(
    '/appointments/batch',
    operation('appointments', {
      permission: 'book',
      faultsFor: batchFaultsFor,
      operationId: 'bookBatch',
      summary: 'Book several appointments, all or none',
      description:
        'If the rules refuse one appointment, none is booked: the 409 is that of its first broken rule, and `params.appointment_index` is its position in the request, from 0.',
      returns: 'All booked appointments.',
      headers: idempotencyKey,
      body: ref(NewBatchSchema),
      response: responses({ 200: ref(BatchSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) =>
      sendIdempotentResult(
        reply,
        await makeOnce(service, request, (key) =>
          bookBatch(service.db, request.actor, request.body.appointments, key),
        ),
      ),
  )
}

import { Type } from 'typebox'
import { bookSeries } from '../../booking/lessons/book-series.ts'
import { cancelSeries } from '../../booking/lessons/cancel-series.ts'
import { changeSeries } from '../../booking/lessons/change-series.ts'
import { AppointmentSchema } from '../../contract/appointment.ts'
import { ref } from '../../contract/fields.ts'
import {
  ChangedSeriesSchema,
  NewSeriesChangeSchema,
  NewSeriesSchema,
  SeriesCancellationSchema,
  SeriesSchema,
  seriesChangeFaultsFor,
  seriesFaultsFor,
} from '../../contract/series.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult, whileRunning } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('series')

export function seriesRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    '/appointments/series',
    operation('appointments', {
      permission: 'book',
      faultsFor: seriesFaultsFor,
      operationId: 'bookSeries',
      summary: 'Book a lesson and its repetitions, each as far as the rules allow',
      description:
        'Each lesson is booked on its own: a refused one does not stop the others unless `on_refusal` is `stop`. After a failure, repeat the request with the same `Idempotency-Key` to continue where it stopped.',
      returns: 'The booked lessons, and the refused ones with alternatives.',
      headers: idempotencyKey,
      body: ref(NewSeriesSchema),
      response: responses({ 200: ref(SeriesSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, body, slicer } = request
      const series = await whileRunning(service, request, (key) =>
        bookSeries(service.db, actor, body, { key, slicer }),
      )
      return sendIdempotentResult(reply, series)
    },
  )

  app.post(
    '/appointments/series/:id/cancel',
    operation('appointments', {
      permission: 'plan',
      operationId: 'cancelSeries',
      summary: 'Cancel the planned lessons of a series from a date on',
      description:
        "Sets `status` to `cancelled` for the planned lessons that start on or after `from`, a date of the school's calendar. Lessons that are completed or missed stay.",
      returns: 'The appointments that this request cancelled.',
      params,
      body: ref(SeriesCancellationSchema),
      response: responses({ 200: Type.Array(ref(AppointmentSchema)) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params, body }) => cancelSeries(db, actor, params.id, body.from),
  )

  app.post(
    '/appointments/series/:id/change',
    operation('appointments', {
      permission: 'plan',
      faultsFor: seriesChangeFaultsFor,
      operationId: 'changeSeries',
      summary: 'Change the planned lessons of a series from a date on',
      description:
        'The lessons are checked together, so that one may take the time that another leaves. A refused lesson stays as it is. All changes are one set, which one undo takes back. With `on_refusal: "nothing"` the first refusal is a 409 whose `params` name the `series_appointment_id`.',
      returns: 'The changed lessons, and the refused ones with alternatives.',
      params,
      headers: idempotencyKey,
      body: ref(NewSeriesChangeSchema),
      response: responses({ 200: ref(ChangedSeriesSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body, slicer } = request
      const changed = await makeOnce(service, request, (key) =>
        changeSeries(db, actor, { ...body, id: params.id }, { key, slicer }),
      )
      return sendIdempotentResult(reply, changed)
    },
  )
}

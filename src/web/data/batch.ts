import type { Appointment, NewAppointment } from '../../contract/appointment.ts'
import type { Batch } from '../../contract/batch.ts'
import { storeAppointments } from './appointments.ts'
import { fetchJson } from './fetch-api.ts'
import { ApiProblem, bodyOf } from './send.ts'
import { isReplayed, postOnce, recordSet, type WriteContext } from './write-queue.ts'

/** Books all lessons or none. A retry after a lost response does not book them again. Throws `ApiProblem` or `Unreachable`. */
export async function bookBatch(
  appointments: readonly NewAppointment[],
  writing: WriteContext,
): Promise<readonly Appointment[]> {
  const answer = await postOnce('/appointments/batch', { appointments })
  const made: Batch = await bodyOf(answer)
  recordSet(answer, writing)
  const lessons = isReplayed(answer)
    ? await Promise.all(made.appointments.map(({ id }) => fetchJson<Appointment>(`/appointments/${id}`)))
    : made.appointments
  await storeAppointments(writing.client, lessons)
  return lessons
}

/** Returns the index of the refused lesson; undefined for any other error. */
export function refusedPlaceIn(error: unknown): number | undefined {
  const place = error instanceof ApiProblem ? error.body.params?.appointment_index : undefined
  return typeof place === 'number' ? place : undefined
}

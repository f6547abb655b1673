import { queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { ChangedSeries, NewSeries, NewSeriesChange, Series } from '../../contract/series.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { storeAppointments } from './appointments.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { bodyOf } from './send.ts'
import { isReplayed, postOnce, recordSet, type WriteContext } from './write-queue.ts'

const PATH = '/appointments/series'

/** Queries the outcome of a series and the alternatives, valid until something changes in the school. */
export function previewOf(series: NewSeries) {
  return queryOptions({
    queryKey: ['slots', 'series', series],
    queryFn: ({ signal }) =>
      fetchJson<Series>(PATH, { method: 'POST', body: { ...series, dry_run: true }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Queries the outcome of a change of a series, valid until something changes in the school. */
export function changePreviewOf(series_id: string, given: NewSeriesChange) {
  return queryOptions({
    queryKey: ['slots', 'series', series_id, given],
    queryFn: ({ signal }) => {
      const body = { ...given, dry_run: true }
      return fetchJson<ChangedSeries>(`${PATH}/${series_id}/change`, { method: 'POST', body, signal })
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Changes a series. A retry after a lost response does not change it again. Throws `ApiProblem` or `Unreachable`. */
export async function changeSeries(
  series_id: string,
  given: NewSeriesChange,
  { client, sets }: WriteContext,
): Promise<ChangedSeries> {
  const answer = await postOnce(`${PATH}/${series_id}/change`, given)
  const made: ChangedSeries = await bodyOf(answer)
  if (made.changed.length > 0) sets?.push(made.set_id)
  const ids = new Set(made.changed.map(({ id }) => id))
  const changed = isReplayed(answer)
    ? (await fetchJson<Appointment[]>(`/appointments?series_id=${series_id}`)).filter(({ id }) => ids.has(id))
    : made.changed
  await storeAppointments(client, changed)
  return { ...made, changed }
}

/** Books a series. A retry after a lost response does not book it again. Throws `ApiProblem` or `Unreachable`. */
export async function bookSeries(series: NewSeries, writing: WriteContext): Promise<Series> {
  const answer = await postOnce(PATH, series)
  const made: Series = await bodyOf(answer)
  if (made.booked.length > 0) recordSet(answer, writing)
  const booked = isReplayed(answer)
    ? await fetchJson<Appointment[]>(`/appointments?series_id=${made.series_id}`)
    : made.booked
  await storeAppointments(writing.client, booked)
  return { ...made, booked }
}

/** Cancels a series' planned lessons from a date on and returns them. Throws `ApiProblem` or `Unreachable`. */
export async function cancelSeries(
  { series_id, from }: { readonly series_id: string; readonly from: LocalDate },
  writing: WriteContext,
): Promise<readonly Appointment[]> {
  const answer = await fetchApi(`${PATH}/${series_id}/cancel`, { method: 'POST', body: { from } })
  const cancelled: readonly Appointment[] = await bodyOf(answer)
  if (cancelled.length > 0) recordSet(answer, writing)
  await storeAppointments(writing.client, cancelled)
  return cancelled
}

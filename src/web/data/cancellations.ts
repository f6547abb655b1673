import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import { DAYS_AROUND_FEES } from '../../domain/cancellation.ts'
import { daysLater, type LocalDate, type LocalDateTime } from '../../domain/local-time.ts'
import { APPOINTMENTS } from './appointments.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { type Edit, sendChange, type WriteContext } from './write-queue.ts'

const PATH = '/cancel'

/** Queries the cancellation that a request would record at this time. */
export function cancellationOf({ id, version }: Appointment, given: NewCancellation, now: LocalDateTime) {
  return queryOptions({
    queryKey: [COMPUTED, 'cancellation', id, version, given, given.at ?? now],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const body = { ...given, dry_run: true }
      const path = `${APPOINTMENTS.path}/${id}${PATH}`
      return (await fetchJson<Appointment>(path, { method: 'POST', body, signal })).cancellation
    },
    ...FOLLOWED,
  })
}

/** Cancels a lesson unless it has changed. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export function cancelAppointment(
  { seen, change }: Edit<Appointment, NewCancellation>,
  writing: WriteContext,
): Promise<Appointment> {
  return sendChange(writing, APPOINTMENTS, seen, { method: 'POST', body: change }, PATH)
}

/** Decides anew on the fee of a cancellation or a no-show. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export function decideFee(
  { seen, change }: Edit<Appointment, { readonly charge: boolean }>,
  writing: WriteContext,
): Promise<Appointment> {
  return sendChange(writing, APPOINTMENTS, seen, { method: 'PUT', body: change }, '/fee')
}

/** Queries the no-shows and late cancellations whose fees may have arisen from `from` to `to`. */
export function missedLessons(from: LocalDate, to: LocalDate) {
  const around = { from: daysLater(from, -DAYS_AROUND_FEES), to: daysLater(to, DAYS_AROUND_FEES) }
  const query = new URLSearchParams({ missed: 'true', ...around })
  return followedQuery<readonly Appointment[]>(
    [COMPUTED, 'missed', from, to],
    `${APPOINTMENTS.path}?${query}`,
  )
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import type { LocalDate, LocalDateTime } from '../../domain/local-time.ts'
import { APPOINTMENTS, storeAppointments } from './appointments.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { bodyOf } from './send.ts'
import { type Edit, sendIfMatch, type WriteContext } from './write-queue.ts'

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
export async function cancelAppointment(
  { seen, change }: Edit<Appointment, NewCancellation>,
  { client }: WriteContext,
): Promise<Appointment> {
  const answer = await sendIfMatch(client, APPOINTMENTS, seen, { method: 'POST', body: change }, PATH)
  const cancelled: Appointment = await bodyOf(answer)
  await storeAppointments(client, [cancelled])
  return cancelled
}

/** Queries the no-shows and late cancellations by students from `from` to `to`. */
export function missedLessons(from: LocalDate, to: LocalDate) {
  const query = new URLSearchParams({ missed: 'true', from, to })
  return followedQuery<readonly Appointment[]>(
    [COMPUTED, 'missed', from, to],
    `${APPOINTMENTS.path}?${query}`,
  )
}

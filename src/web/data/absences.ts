import { queryOptions } from '@tanstack/react-query'
import type { AbsencePlan, AbsenceRequest, AbsenceSet, DecidedAbsence } from '../../contract/absence-plan.ts'
import { storeAppointments } from './appointments.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followNow } from './following.ts'
import { bodyOf } from './send.ts'
import { isReplayed, type WriteContext } from './write-queue.ts'

/** Queries the lessons that an instructor's absence affects, with substitutes, other times and proposals. */
export function absencePlanOf(id: string, absence: AbsenceRequest) {
  return queryOptions({
    queryKey: [COMPUTED, 'absence-plan', id, absence],
    queryFn: ({ signal }) =>
      fetchJson<AbsencePlan>(`/instructors/${id}/absence-plan`, { method: 'POST', body: absence, signal }),
    ...FOLLOWED,
  })
}

type Recording = { readonly idempotency_key: string; readonly absence: DecidedAbsence }

/**
 * Stores an absence with all its decisions, or nothing. Executed once per key, which the caller keeps across reloads.
 * Throws `ApiProblem` or `Unreachable`.
 */
export async function recordAbsence(
  id: string,
  { idempotency_key, absence }: Recording,
  { client }: WriteContext,
): Promise<AbsenceSet> {
  const answer = await fetchApi(`/instructors/${id}/absences`, {
    method: 'POST',
    body: absence,
    headers: { 'idempotency-key': idempotency_key },
  })
  const set: AbsenceSet = await bodyOf(answer)
  if (!isReplayed(answer)) await storeAppointments(client, set.appointments)
  void followNow(client)
  return set
}

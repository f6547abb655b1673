import { queryOptions } from '@tanstack/react-query'
import type { NewAbsenceDecision } from '../../contract/absence-decision.ts'
import type { AbsencePlan, AbsenceRequest, AbsenceSet } from '../../contract/absence-plan.ts'
import type { NewClosure } from '../../contract/closure.ts'
import type { InstructorChange } from '../../contract/instructor.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { storeAppointments } from './appointments.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followNow } from './following.ts'
import { bodyOf } from './send.ts'
import { changeVehicle } from './vehicles.ts'
import { isReplayed, queueWrite, type WriteContext } from './write-queue.ts'

/** The addresses that plan a change and store it with decisions. */
export type PlanPaths = { readonly plan: string; readonly record: string }

export const CLOSURE_PATHS: PlanPaths = { plan: '/closures/plan', record: '/closures/decided' }

/** Returns the addresses for a change of the instructor or vehicle at a path. */
export function changePathsOf(path: string): PlanPaths {
  return { plan: `${path}/change-plan`, record: `${path}/changes` }
}

/** The most lessons of others that the page proposes to move. */
const MAX_CALLS = 2

/** A change as it is planned. */
export type PlannedBody = AbsenceRequest | NewClosure | InstructorChange

/** Queries the lessons that a change affects, with substitutes, other times and proposals. */
export function absencePlanOf({ plan }: PlanPaths, body: PlannedBody) {
  return queryOptions({
    queryKey: [COMPUTED, 'absence-plan', plan, body],
    queryFn: ({ signal }) => fetchJson<AbsencePlan>(plan, { method: 'POST', body, signal }),
    ...FOLLOWED,
  })
}

export type AbsenceLadder = NonNullable<AbsencePlan['ladder']>

/** Queries the decisions that save the most lessons if none, one or two lessons of others move. */
export function absenceLadderOf({ plan }: PlanPaths, body: PlannedBody) {
  return queryOptions({
    queryKey: [COMPUTED, 'absence-ladder', plan, body],
    queryFn: async ({ signal }): Promise<AbsenceLadder> => {
      const asked = { ...body, may_move: MAX_CALLS }
      const { ladder = [] } = await fetchJson<AbsencePlan>(plan, { method: 'POST', body: asked, signal })
      return ladder
    },
    ...FOLLOWED,
  })
}

/** Takes a vehicle out of use unless coming lessons have it. Returns whether they have. Throws `ApiProblem` or `Unreachable`. */
export async function retireUnlessNeeded(seen: Vehicle, writing: WriteContext): Promise<boolean> {
  const change = { active: false }
  const planOf = absencePlanOf(changePathsOf(`/vehicles/${seen.id}`), change)
  let isNeeded = false
  // The caller may leave the row: its earlier writes come first.
  await queueWrite(seen, async (latest) => {
    const { appointments } = await writing.client.fetchQuery({ ...planOf, staleTime: 0 })
    isNeeded = appointments.length > 0
    return latest
  })
  if (!isNeeded) await changeVehicle({ seen, change }, writing)
  return isNeeded
}

type Recording = {
  readonly idempotency_key: string
  /** The version of the instructor that the change is based on. */
  readonly version?: number | undefined
  readonly absence: PlannedBody & { readonly decisions: readonly NewAbsenceDecision[] }
}

/**
 * Stores a change with all its decisions, or nothing. Executed once per key, which the caller keeps across reloads.
 * Throws `ApiProblem` or `Unreachable`.
 */
export async function recordAbsence(
  { record }: PlanPaths,
  { idempotency_key, version, absence }: Recording,
  { client }: WriteContext,
): Promise<AbsenceSet> {
  const answer = await fetchApi(record, {
    method: 'POST',
    body: absence,
    headers: {
      'idempotency-key': idempotency_key,
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    },
  })
  const set: AbsenceSet = await bodyOf(answer)
  if (!isReplayed(answer)) await storeAppointments(client, set.appointments)
  void followNow(client)
  return set
}

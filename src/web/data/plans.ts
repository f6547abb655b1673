import type { QueryClient } from '@tanstack/react-query'
import type {
  AppliedPlan,
  NewPlan,
  Plan,
  PlanApplication,
  PlanChange,
  PlannedLesson,
  Replan,
} from '../../contract/plan.ts'
import { storeAppointments } from './appointments.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { createStore } from './store.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const KEY = 'plans'

/** The plans of the school, newest first. */
export const plansOfSchool = followedQuery<readonly Plan[]>([KEY], '/plans?limit=20')

const before = createStore<Plan | undefined>(undefined)

/** Returns the state of a plan before its last change in this tab; undefined if there was none. */
export function usePlanBefore({ id }: Pick<Plan, 'id'>): Plan | undefined {
  const plan = before.use()
  return plan?.id === id ? plan : undefined
}

function shownPlan(id: string, client: QueryClient): Plan | undefined {
  return client.getQueryData(plansOfSchool.queryKey)?.find((one) => one.id === id)
}

/** Makes a plan. Throws `ApiProblem` or `Unreachable`. */
export async function makePlan(plan: NewPlan, { client }: WriteContext): Promise<void> {
  await postOnce('/plans', plan)
  await refetchPlans(client)
}

type OfPlan = { readonly id: string }

/** Plans again around the locked lessons. Throws `ApiProblem` or `Unreachable`. */
export async function replan({ id, ...body }: OfPlan & Replan, { client }: WriteContext): Promise<void> {
  const shown = shownPlan(id, client)
  await fetchJson<Plan>(`/plans/${id}/replan`, { method: 'POST', body })
  before.set(shown)
  await refetchPlans(client)
}

/** Locks, drops or moves lessons of a plan. Throws `ApiProblem` or `Unreachable`. */
export async function changePlan(
  { id, ...body }: OfPlan & PlanChange,
  { client }: WriteContext,
): Promise<void> {
  const shown = shownPlan(id, client)
  await fetchJson<Plan>(`/plans/${id}`, { method: 'PATCH', body })
  if (body.move || body.drop) before.set(shown)
  await refetchPlans(client)
}

type Moved = { readonly from: PlannedLesson; readonly to: PlannedLesson }

/** Moves lessons back to where they were before the last change. Throws `ApiProblem` or `Unreachable`. */
export async function takeBackMoves(
  { before: { id }, moved }: { readonly before: Plan; readonly moved: readonly Moved[] },
  context: WriteContext,
): Promise<void> {
  const move = moved.map(({ from, to }) => {
    const { instructor_id, start_at, end_at } = from
    return { id: to.id, instructor_id, start_at, end_at }
  })
  await changePlan({ id, move }, context)
  const unlock = moved.filter(({ from }) => !from.is_locked).map(({ to }) => to.id)
  if (unlock.length > 0) await changePlan({ id, unlock }, context)
}

/** Gives the place of lessons to others: all other lessons stay. Throws `ApiProblem` or `Unreachable`. */
export async function giveAway(
  plan: Plan,
  dropped: readonly string[],
  { client }: WriteContext,
): Promise<void> {
  const { id, proposed } = plan
  const others = proposed.filter((one) => !dropped.includes(one.id))
  const unlocked = others.filter(({ is_locked }) => !is_locked).map((one) => one.id)
  const change = (body: PlanChange) => fetchJson<Plan>(`/plans/${id}`, { method: 'PATCH', body })
  try {
    await change({
      ...(dropped.length > 0 && { drop: [...dropped] }),
      ...(unlocked.length > 0 && { lock: unlocked }),
    })
    await fetchJson<Plan>(`/plans/${id}/replan`, { method: 'POST', body: {} })
    if (unlocked.length > 0) await change({ unlock: unlocked })
    before.set(plan)
  } finally {
    await refetchPlans(client)
  }
}

/** Books or offers the lessons of a plan. Throws `ApiProblem` or `Unreachable`. */
export async function applyPlan(
  { id, ...body }: OfPlan & PlanApplication,
  { client }: WriteContext,
): Promise<AppliedPlan> {
  try {
    const applied = await fetchJson<AppliedPlan>(`/plans/${id}/apply`, { method: 'POST', body })
    await storeAppointments(client, applied.booked)
    return applied
  } finally {
    await refetchPlans(client)
  }
}

/** Discards a plan. Throws `ApiProblem` or `Unreachable`. */
export async function discardPlan({ id }: OfPlan, { client }: WriteContext): Promise<void> {
  await fetchApi(`/plans/${id}`, { method: 'DELETE' })
  await refetchPlans(client)
}

function refetchPlans(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [KEY] })
}

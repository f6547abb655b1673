import type { Actor } from '../../contract/actor.ts'
import type { Plan } from '../../contract/plan.ts'
import type { Database } from '../../db/schema/tables.ts'
import type { StoredPlan } from '../../db/school/plans.ts'
import { problemOf } from '../../domain/plan-input.ts'
import { brokenIn } from '../../domain/plan-result.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { loadProblem } from './load-problem.ts'
import { withLocked } from './locked-lessons.ts'

/** Returns a plan as it was just made. */
export function newPlan({ dropped: _, applied: __, ...plan }: StoredPlan): Plan {
  return { ...plan, broken: [] }
}

/** Returns a plan as it is now: a draft without deleted students, and outdated if a lesson would be refused. */
export async function shownPlan(
  db: Database,
  actor: Actor,
  plan: StoredPlan,
  slicer: TimeSlicer,
): Promise<Plan> {
  const stored = newPlan(plan)
  // A plan that is being applied has lessons in its own way.
  if (plan.state !== 'draft' || plan.applied !== null) return stored
  const { proposed: besides, left_out } = stored
  const others = left_out.map(({ student_id }) => student_id)
  const nobody = { instructor_ids: [], student_ids: [] }
  const loaded = await loadProblem(db, actor, { ...stored, ...nobody, besides, others }, slicer)
  const proposed = besides.filter(({ student_id }) => !loaded.isDeleted(student_id))
  const { input } = withLocked(loaded, { lessons: proposed, dropped: [] })
  await slicer.pause()
  const broken = [...brokenIn(problemOf(input))].map(([index, refusals]) => ({
    id: input.locked[index]?.time.id ?? '',
    refusals: refusals.map(({ code, params }) => ({ code, params: { ...params } })),
  }))
  return {
    ...stored,
    state: broken.length > 0 ? 'outdated' : 'draft',
    proposed,
    left_out: left_out.filter(({ student_id }) => !loaded.isDeleted(student_id)),
    broken,
  }
}

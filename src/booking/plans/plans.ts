import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { NewPlan, PlanChange, PlannedLesson, Replan } from '../../contract/plan.ts'
import { type Fault, invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { DroppedLesson, Transaction } from '../../db/schema/tables.ts'
import {
  beginPlanning,
  endPlanning,
  insertPlan,
  isPlanning,
  LEASE_SECONDS,
  lockPlan,
  renewPlanning,
  type StoredPlan,
  updatePlan,
} from '../../db/school/plans.ts'
import { intervalFaultFor, skippedFaultsFor } from '../../domain/appointment-times.ts'
import { dateOf, daysLater, minuteOf, minutesLater, mondayOf } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { deletion } from '../deletion.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { changedByHand, lessonsFound, madeFrom, type PlanTurns } from './plan-lessons.ts'

/** The days after its last one for which a draft stays. */
const DAYS_OF_DRAFTS = 14
const RENEWAL_MS = (LEASE_SECONDS * 1000) / 3
const DEFAULT_EFFORT = 3
const DEFAULT_SEED = 1
const DEFAULT_WEIGHTS = { waiting: 1, full_days: 1, own_instructor: 1 }

/** Returns the last day of plans that have ended. */
export function endOfDrafts({ tenant, now }: Actor): string {
  return daysLater(localToday(now, tenant.timezone), -DAYS_OF_DRAFTS)
}

type Planning = PlanTurns & { readonly key?: IdempotencyKey | undefined }

/** Makes a plan. Books nothing. Throws `invalid_request`, `not_found` and `plan_in_progress`. Fails if the key is taken. */
export async function makePlan(
  database: DatabasePool,
  actor: Actor,
  given: NewPlan,
  { key, ...turns }: Planning,
): Promise<StoredPlan> {
  requireComing(actor, given)
  const { weights, effort = DEFAULT_EFFORT, seed = DEFAULT_SEED, overrides = false } = given
  const id = newId()
  const query = {
    from: given.from,
    to: given.to,
    instructor_ids: given.instructor_ids ?? null,
    student_ids: given.student_ids ?? null,
    weights: { ...DEFAULT_WEIGHTS, ...weights },
    overrides,
  }
  return whilePlanning(database, actor, async () => {
    const asked = { ...query, effort, seed, lessons: [], dropped: [] }
    const found = await lessonsFound(database, actor, asked, turns)
    return turns.inTurn(async () => {
      const made = await madeFrom(database, actor, found, turns.slicer)
      const plan = {
        ...query,
        id,
        state: 'draft' as const,
        effort,
        seed,
        dropped: [],
        applied: null,
        ...made,
      }
      return inTransaction(database, async (db, commitWith) => {
        await lockSession(db, actor)
        return commitOnce({ db, actor, commitWith }, key, insertPlan(db, actor, plan))
      })
    })
  })
}

/** Plans again around the locked lessons. Throws `not_found`, `stale`, `plan_applied` and `plan_in_progress`. */
export async function replan(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected, ...turns }: Intent<Replan> & PlanTurns,
): Promise<StoredPlan> {
  return whilePlanning(database, actor, async () => {
    const before = await inTransaction(database, (db) => requireDraft(db, actor, { id, isExpected }))
    requireComing(actor, before)
    const { forget = false, effort = before.effort, seed = before.seed } = change
    const weights = { ...before.weights, ...change.weights }
    const lessons = before.proposed.filter(({ is_locked }) => is_locked)
    const dropped = forget ? [] : before.dropped
    const asked = { ...before, weights, effort, seed, lessons, dropped }
    const found = await lessonsFound(database, actor, asked, turns)
    return turns.inTurn(async () => {
      const made = await madeFrom(database, actor, found, turns.slicer)
      return inTransaction(database, async (db) => {
        const stored = await requireDraft(db, actor, {
          id,
          isExpected: (version) => version === before.version,
        })
        await lockSession(db, actor)
        return updatePlan(db, actor, stored, { weights, effort, seed, dropped, ...made })
      })
    })
  })
}

/** Locks, drops and moves lessons of a draft. Throws `not_found`, `stale`, `plan_applied`, and the refusal of a move. */
export async function changePlan(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected, slicer }: Intent<PlanChange> & { readonly slicer: TimeSlicer },
): Promise<StoredPlan> {
  return inTransaction(database, async (db) => {
    const stored = await requireDraft(db, actor, { id, isExpected })
    await lockSession(db, actor)
    const { lock = [], unlock = [], drop = [], move = [] } = change
    const known = new Map(stored.proposed.map((one) => [one.id, one]))
    if ([...lock, ...unlock, ...drop, ...move.map((one) => one.id)].some((one) => !known.has(one)))
      throw notFound()
    const moves = new Map(move.map((one) => [one.id, one]))
    requireTimes(actor, stored, move)
    const kept = stored.proposed.filter((one) => !drop.includes(one.id))
    const isLocked = ({ id: one, is_locked }: PlannedLesson) =>
      moves.has(one) || lock.includes(one) || (is_locked && !unlock.includes(one))
    const lessons = kept.map((one): PlannedLesson => {
      const to = moves.get(one.id)
      const stays = { ...one, is_locked: isLocked(one) }
      if (!to) return stays
      const length = minuteOf(one.end_at) - minuteOf(one.start_at)
      return { ...stays, end_at: minutesLater(to.start_at, length), ...to }
    })
    if (drop.length === 0 && move.length === 0) return updatePlan(db, actor, stored, { proposed: lessons })
    const left = stored.proposed.filter((one) => drop.includes(one.id)).map(droppedLesson)
    const dropped = [...stored.dropped, ...left]
    const changed = { ...stored, lessons, dropped }
    const made = await changedByHand(db, actor, { ...changed, moved: new Set(moves.keys()) }, slicer)
    return updatePlan(db, actor, stored, { dropped, ...made })
  })
}

/** Discards a plan. Throws `not_found`, `stale`, `plan_applied`, and `plan_in_progress` while it is applied. */
export const discardPlan = deletion(
  async (db, actor, id) => {
    const plan = await lockPlan(db, actor.tenant.id, id)
    return plan && { ...plan, deleted: plan.state === 'discarded' }
  },
  async (db, actor, { deleted: _, ...stored }) => {
    if (stored.state === 'applied') throw new Problem('plan_applied')
    if (stored.applied && (await isPlanning(db, actor.tenant.id))) throw new Problem('plan_in_progress')
    await lockSession(db, actor)
    await updatePlan(db, actor, stored, { state: 'discarded' })
  },
)

/** Does what only one process may do in a school at a time. Throws `plan_in_progress`. */
export async function whilePlanning<T>(
  database: DatabasePool,
  { tenant }: Actor,
  work: () => Promise<T>,
): Promise<T> {
  const planning = { tenantId: tenant.id, id: newId() }
  if (!(await beginPlanning(database, planning))) throw new Problem('plan_in_progress')
  // Without a connection the next renewal may succeed; if none does, another process goes on.
  const renewing = setInterval(
    () => void renewPlanning(database, planning).catch(() => undefined),
    RENEWAL_MS,
  )
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    await endPlanning(database, planning)
  }
}

type Named = { readonly id: string; readonly isExpected: Intent<unknown>['isExpected'] }

async function requireDraft(db: Transaction, actor: Actor, { id, isExpected }: Named): Promise<StoredPlan> {
  const stored = await lockPlan(db, actor.tenant.id, id)
  const isOver = stored && stored.state === 'draft' && stored.to < endOfDrafts(actor)
  if (!stored || stored.state === 'discarded' || isOver) throw notFound()
  requireExpected(isExpected, stored)
  if (stored.state === 'applied' || stored.applied !== null) throw new Problem('plan_applied')
  return stored
}

function requireComing({ tenant, now }: Actor, { from }: Pick<NewPlan, 'from'>): void {
  const tomorrow = daysLater(localToday(now, tenant.timezone), 1)
  if (from >= tomorrow) return
  const detail = `from must be ${tomorrow}, tomorrow, at the earliest.`
  throw invalidRequest([{ pointer: '/from', code: 'too_early', detail }])
}

function requireTimes(
  { tenant }: Actor,
  { from, to }: StoredPlan,
  move: NonNullable<PlanChange['move']>,
): void {
  const faults = move.flatMap(({ start_at, end_at = start_at }, index): Fault[] => {
    const at = (field: string) => `/move/${index}/${field}`
    const day = dateOf(start_at)
    if (day < from || day > to)
      return [
        { pointer: at('start_at'), code: 'out_of_range', detail: `start_at must be from ${from} to ${to}.` },
      ]
    const order = end_at === start_at ? undefined : intervalFaultFor({ start_at, end_at })
    const skipped = skippedFaultsFor({ start_at, end_at }, tenant.timezone)
    return [...skipped, ...(order ? [order] : [])].map(({ field, code }) => ({
      pointer: at(field),
      code,
      detail: `${field} is no time that a lesson can have.`,
    }))
  })
  if (faults.length > 0) throw invalidRequest(faults)
}

function droppedLesson({ student_id, start_at }: PlannedLesson): DroppedLesson {
  return { student_id, week_start: mondayOf(dateOf(start_at)) }
}

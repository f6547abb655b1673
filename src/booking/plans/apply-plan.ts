import { v5 } from 'uuid'
import { lockSession, requireSession } from '../../auth/lock-session.ts'
import type { OfferLinkSecrets } from '../../auth/offer-links.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import type { AppliedPlan, PlanApplication, PlannedLesson } from '../../contract/plan.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { findStoredAppointment, listStoredAppointments } from '../../db/appointments/appointments.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { findOffer, type StoredOffer } from '../../db/offers/offers.ts'
import type { Database, PlanOutcome } from '../../db/schema/tables.ts'
import { findPlan, lockPlan, markApplying, type StoredPlan, updatePlan } from '../../db/school/plans.ts'
import { bookAppointment } from '../lessons/book-appointment.ts'
import { makeOffer } from '../offers/offers.ts'
import type { PlanTurns } from './plan-lessons.ts'
import { endOfDrafts, whilePlanning } from './plans.ts'
import { shownPlan } from './shown-plan.ts'

type Applying = {
  readonly application: PlanApplication
  readonly links: OfferLinkSecrets
  readonly urlOf: (token: string) => string
} & Pick<PlanTurns, 'slicer' | 'inTurn'>

export type Applied = Omit<AppliedPlan, 'offers'> & { readonly offers: readonly StoredOffer[] }

/**
 * Books or offers the lessons of a plan, each in its own transaction, all in one set of changes. After an interruption it
 * continues as it was begun. Throws `not_found`, `plan_outdated` and `plan_in_progress`.
 */
export async function applyPlan(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { application, ...applying }: Applying,
): Promise<Applied> {
  return whilePlanning(database, actor, async () => {
    const plan = await findPlan(database, { tenantId: actor.tenant.id, ended: endOfDrafts(actor), id })
    if (!plan) throw notFound()
    if (plan.state === 'applied') return answerOf(database, actor, plan)
    const { outcome, lessons } = await begun(database, actor, plan, { application, ...applying })
    const doing = { ...actor, set_id: outcome.set_id }
    const refused: AppliedPlan['refused'] = [...outcome.refused]
    for (const lesson of lessons) {
      const refusals = await applying.inTurn(async () => {
        await requireSession(database, actor)
        return applyOne(database, doing, lesson, { outcome, ...applying })
      })
      if (refusals.length > 0) refused.push({ id: lesson.id, refusals })
    }
    const applied = { ...outcome, refused }
    return applying.inTurn(async () => {
      const stored = await inTransaction(database, async (db) => {
        const locked = await lockPlan(db, actor.tenant.id, id)
        if (!locked || locked.state === 'discarded') throw notFound()
        await lockSession(db, actor)
        return updatePlan(db, doing, locked, { state: 'applied', applied })
      })
      return answerOf(database, actor, stored)
    })
  })
}

type Begun = { readonly outcome: PlanOutcome; readonly lessons: readonly PlannedLesson[] }

/** Returns the outcome so far and the lessons to apply, those of an interrupted application again. */
async function begun(
  database: DatabasePool,
  actor: Actor,
  plan: StoredPlan,
  { application: { as, despite_changes = false }, slicer }: Applying,
): Promise<Begun> {
  if (plan.applied) return { outcome: plan.applied, lessons: plan.proposed }
  const { broken, proposed } = await shownPlan(database, actor, plan, slicer)
  if (broken.length > 0 && !despite_changes) throw new Problem('plan_outdated', { params: { broken } })
  const outcome = { as, set_id: actor.set_id, refused: [] }
  await inTransaction(database, async (db) => {
    const locked = await lockPlan(db, actor.tenant.id, plan.id)
    if (locked?.version !== plan.version) throw new Problem('plan_in_progress')
    await lockSession(db, actor)
    await markApplying(db, actor.tenant.id, { id: plan.id, applied: outcome })
  })
  return { outcome, lessons: proposed }
}

/** Returns the id of a lesson's appointment or offer, the same whenever this application is continued. */
function ownId({ id }: PlannedLesson, { set_id }: PlanOutcome): string {
  return v5(id, set_id)
}

type Refusals = AppliedPlan['refused'][number]['refusals']

async function applyOne(
  database: DatabasePool,
  actor: Actor,
  lesson: PlannedLesson,
  { outcome, links, urlOf }: Omit<Applying, 'application'> & { readonly outcome: PlanOutcome },
): Promise<Refusals> {
  const id = ownId(lesson, outcome)
  const { student_id, instructor_id, lesson_type_id, start_at, end_at, vehicle_ids } = lesson
  const time = { instructor_id, lesson_type_id, start_at, end_at }
  try {
    if (outcome.as === 'offers') {
      if (await findOffer(database, actor.tenant.id, id)) return []
      await makeOffer(database, actor, { id, offer: { ...time, student_ids: [student_id] }, links, urlOf })
    } else if (!(await findStoredAppointment(database, actor.tenant.id, id)))
      await bookAppointment(database, actor, { ...time, student_id, vehicle_ids }, { id })
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isPast = error.errors?.some((fault) => fault.code === 'in_the_past') ?? false
    const code = isPast ? 'in_the_past' : error.code
    const refusals = error.refusals ?? [{ code, params: error.params ?? {} }]
    if (!error.refusals && !OWN_REASONS.has(code)) throw error
    return refusals.map(({ code, params }) => ({ code, params: { ...params } })) as Refusals
  }
}

/** The reasons that are no broken rules. */
const OWN_REASONS: ReadonlySet<string> = new Set([
  'too_many_offers',
  'not_found',
  'in_the_past',
  'student_archived',
])

async function answerOf(
  db: Database,
  { tenant }: Actor,
  { proposed, applied }: StoredPlan,
): Promise<Applied> {
  if (!applied) throw new Error('an applied plan has an outcome')
  const ids = proposed.map((one) => ownId(one, applied))
  const stored = applied.as === 'booked' ? await listStoredAppointments(db, tenant.id, ids) : []
  const byId = new Map(stored.map((one) => [one.id, one]))
  const booked = ids.flatMap((id): Appointment[] => {
    const { deleted = true, cancelled_with_student: _, ...appointment } = byId.get(id) ?? {}
    return deleted ? [] : [appointment as Appointment]
  })
  const offers: StoredOffer[] = []
  for (const id of applied.as === 'offers' ? ids : []) {
    const offer = await findOffer(db, tenant.id, id)
    if (offer) offers.push(offer)
  }
  return { set_id: applied.set_id, booked, offers, refused: applied.refused }
}

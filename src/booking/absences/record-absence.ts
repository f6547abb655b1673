import { lockSession } from '../../auth/lock-session.ts'
import type { NewAbsenceDecision } from '../../contract/absence-decision.ts'
import type { AbsenceSet } from '../../contract/absence-plan.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { Problem } from '../../contract/problem.ts'
import { hideAppointments } from '../../db/appointments/affected-appointments.ts'
import {
  listStoredAppointments,
  lockAppointments,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import { loadCancellationAssessment } from '../../db/appointments/cancellation-assessment.ts'
import { readFleet, type SchoolFleet } from '../../db/appointments/fleet.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import { lockManyCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { calendarIdsOf, studentIdsOf } from '../../domain/occupants.ts'
import type { Decision } from '../decide.ts'
import { commitOnce } from '../idempotent.ts'
import { actOf, cancelled, shown } from '../lessons/cancel-appointment.ts'
import { appointmentUpdateFor, mergedWith } from '../lessons/change-appointment.ts'
import { LessonAgendas } from '../lessons/lesson-agendas.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { PlanCause } from './plan-causes.ts'

type Request = {
  readonly cause: PlanCause
  readonly decisions: readonly NewAbsenceDecision[]
  readonly key: IdempotencyKey | undefined
  readonly slicer: TimeSlicer
}

/**
 * Stores a change with a decision on each affected lesson, all or none. The rules apply to the result as a whole, so lessons
 * may swap. An absence of an instructor takes further decisions that move lessons of others to make room. Throws `not_found`,
 * `plan_outdated` unless the decisions cover exactly the affected lessons, `stale`, and the first refusal with
 * `decision_appointment_id`. Fails if the key is taken.
 */
export async function recordDecided(
  database: DatabasePool,
  actor: Actor,
  { cause, decisions, key, slicer }: Request,
): Promise<AbsenceSet> {
  const tenantId = actor.tenant.id
  return inTransaction(database, async (db, commitWith) => {
    const ids = otherIdsIn(decisions, cause)
    const seen = [
      ...(await cause.list(db, actor, slicer)),
      ...(ids.length === 0 ? [] : await listStoredAppointments(db, tenantId, ids)),
    ]
    const first = (await cause.lockFirst?.(db, tenantId)) ?? []
    const decided = decisions.map(({ vehicle_ids, ...one }) => ({ ...one, vehicle_ids: vehicle_ids ?? [] }))
    const instructors = decisions.flatMap(({ instructor_id }) => instructor_id ?? [])
    const fleet = await readFleet(db, tenantId, seen.flatMap(studentIdsOf))
    const usual = fleet.possibleFor(seen, instructors)
    const locked = new Set([
      ...cause.calendarIds,
      ...first,
      ...calendarIdsOf([...seen, ...decided]),
      ...usual,
    ])
    await lockManyCalendars(db, tenantId, [...locked])
    const affected = await cause.lock(db, actor, slicer)
    const others = await lockOthers(db, tenantId, ids, affected)
    // A lesson may have moved to other calendars since it was listed. Those are not locked.
    if (!calendarIdsOf([...affected, ...others]).every((one) => locked.has(one))) throw new Outdated()
    for (const one of new Set(instructors)) await requireInstructor(db, tenantId, one)
    const pairs = pairsOf({ affected, others }, decisions)
    await lockSession(db, actor)
    await cause.store(db, actor)
    const appointments = await carryOut(db, actor, pairs, { fleet, slicer })
    const set = { set_id: actor.set_id, appointments }
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(set))
  })
}

type Pair = { readonly decision: NewAbsenceDecision; readonly stored: StoredAppointment }

/** Returns the lessons that may lie outside of the change: those that decisions move, if it allows that. */
function otherIdsIn(decisions: readonly NewAbsenceDecision[], { start_at }: PlanCause): readonly string[] {
  if (start_at === undefined) return []
  return decisions.flatMap(({ appointment_id, action }) => (action === 'move' ? appointment_id : []))
}

/** Locks and returns the planned lessons among some that are not affected. */
async function lockOthers(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
  affected: readonly StoredAppointment[],
): Promise<readonly StoredAppointment[]> {
  const affectedIds = new Set(affected.map(({ id }) => id))
  const further = ids.filter((id) => !affectedIds.has(id))
  if (further.length === 0) return []
  const lessons = await lockAppointments(db, tenantId, further)
  return lessons.filter(({ status, deleted }) => status === 'planned' && !deleted)
}

type Decided = Readonly<Record<'affected' | 'others', readonly StoredAppointment[]>>

/** Pairs decisions with the affected lessons and others. Throws `stale` and `plan_outdated`. */
function pairsOf({ affected, others }: Decided, decisions: readonly NewAbsenceDecision[]): readonly Pair[] {
  const lessons = new Map([...affected, ...others].map((one) => [one.id, one]))
  for (const { appointment_id, version } of decisions)
    if ((lessons.get(appointment_id)?.version ?? version) !== version)
      throw new Problem('stale', { params: { decision_appointment_id: appointment_id } })
  const decided = new Set(decisions.map(({ appointment_id }) => appointment_id))
  const undecided_ids = affected.map((one) => one.id).filter((one) => !decided.has(one))
  const not_hit_ids = [...decided].filter((one) => !lessons.has(one))
  if (undecided_ids.length > 0 || not_hit_ids.length > 0) {
    const appointment_ids = [...undecided_ids, ...not_hit_ids]
    throw new Problem('plan_outdated', { params: { appointment_ids, undecided_ids, not_hit_ids } })
  }
  return decisions.map((decision) => ({
    decision,
    stored: lessons.get(decision.appointment_id) as StoredAppointment,
  }))
}

async function carryOut(
  db: Transaction,
  actor: Actor,
  pairs: readonly Pair[],
  { fleet, slicer }: { readonly fleet: SchoolFleet; readonly slicer: TimeSlicer },
): Promise<Appointment[]> {
  const written = new Map<string, StoredAppointment>()
  const assess = await loadCancellationAssessment(db, actor.tenant)
  for (const [index, { decision, stored }] of pairs.entries()) {
    if (decision.action === 'keep') written.set(stored.id, stored)
    if (decision.action !== 'cancel') continue
    const act = actOf(actor, decision.cancellation ?? { by: 'school' }, `/decisions/${index}/cancellation`)
    const next = cancelled(stored, act, assess)
    written.set(stored.id, await requireWritten(updateAppointment(db, actor, { stored, next })))
  }
  const moved = pairs.filter(({ stored }) => !written.has(stored.id))
  await hideAppointments(
    db,
    actor.tenant.id,
    moved.map(({ stored }) => stored.id),
  )
  const moves = moved.map(({ decision, stored }) => ({ stored, change: changeFor(stored, decision, fleet) }))
  for (const { stored, write } of await decisionsOn(db, actor, moves, slicer))
    written.set(stored.id, await requireWritten(write(db)))
  return pairs.map(({ stored }) => shown(written.get(stored.id) as StoredAppointment))
}

type Move = { readonly stored: StoredAppointment; readonly change: AppointmentChange }

async function decisionsOn(
  db: Transaction,
  actor: Actor,
  moves: readonly Move[],
  slicer: TimeSlicer,
): Promise<readonly (Move & Decision<StoredAppointment>)[]> {
  if (moves.length === 0) return []
  const places = moves.map(({ stored, change }) => mergedWith(change, stored))
  const agendas = await LessonAgendas.load(db, actor, places, (steps) => slicer.run(steps))
  const decided: (Move & Decision<StoredAppointment>)[] = []
  for (const { stored, change } of moves) {
    const requireAgenda = async (lesson: StoredAppointment) => {
      const loaded = await agendas.requireAgenda(lesson)
      agendas.place(lesson, loaded)
      return loaded
    }
    const intent = { change, isExpected: () => true, requireAgenda }
    const decision = await appointmentUpdateFor(db, actor, stored, intent).catch((error) => {
      throw placed(error, stored.id)
    })
    decided.push({ stored, change, ...decision })
  }
  return decided
}

/** Returns the change that a decision makes. The usual vehicle follows the instructor unless vehicles are named. */
function changeFor(
  stored: StoredAppointment,
  { instructor_id, vehicle_ids, start_at, end_at }: NewAbsenceDecision,
  fleet: SchoolFleet,
): AppointmentChange {
  return {
    ...(instructor_id && { instructor_id, vehicle_ids: fleet.vehiclesWith(stored, instructor_id) }),
    ...(vehicle_ids && { vehicle_ids }),
    ...(start_at && { start_at }),
    ...(end_at && { end_at }),
  }
}

function placed(error: unknown, decision_appointment_id: string): unknown {
  if (!(error instanceof Problem && error.refusals)) return error
  const { code, params, refusals } = error
  return new Problem(code, { params: { ...params, decision_appointment_id }, refusals })
}

async function requireWritten(write: Promise<StoredAppointment | undefined>): Promise<StoredAppointment> {
  const row = await write
  if (!row) throw new Outdated()
  return row
}

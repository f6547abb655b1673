import { lockSession } from '../auth/lock-session.ts'
import type { NewAbsenceDecision } from '../contract/absence-decision.ts'
import type { AbsenceSet, DecidedAbsence } from '../contract/absence-plan.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment, AppointmentChange } from '../contract/appointment.ts'
import { invalidRequest, Problem } from '../contract/problem.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { calendarIdsOf, lockManyCalendars } from '../db/calendars/calendar-locks.ts'
import { loadCancellationAssessment } from '../db/cancellation-assessment.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated } from '../db/connection/transaction.ts'
import { hideAppointments, listHitAppointments, lockHitAppointments } from '../db/hit-appointments.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { requireInstructor } from '../db/instructors.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { absenceTimesFor, listsWith } from '../domain/absence-period.ts'
import { MAX_ABSENCES, MAX_VACATIONS } from '../domain/ranges.ts'
import { actOf, cancelled } from './cancel-appointment.ts'
import { appointmentUpdateFor } from './change-appointment.ts'
import { changeLockedInstructor } from './change-instructor.ts'
import { commitOnce } from './idempotent.ts'

type Request = {
  readonly id: string
  readonly absence: DecidedAbsence
  readonly key: IdempotencyKey | undefined
}

/**
 * Stores an absence with a decision on each affected lesson, all or none. The rules apply to the result as a whole, so
 * lessons may swap. Throws `not_found`, `plan_outdated` unless the decisions cover exactly the affected lessons, `stale`,
 * and the first refusal with `decision_appointment_id`. Fails if the key is taken.
 */
export async function recordAbsence(
  database: DatabasePool,
  actor: Actor,
  { id, absence, key }: Request,
): Promise<AbsenceSet> {
  const { decisions, ...period } = absence
  const tenantId = actor.tenant.id
  const question = { instructor_id: id, ...absenceTimesFor(period) }
  return inTransaction(database, async (db, commitWith) => {
    const seen = await listHitAppointments(db, tenantId, question)
    const named = decisions.flatMap(({ instructor_id }) => instructor_id ?? [])
    const locked = new Set([id, ...calendarIdsOf(seen), ...named])
    await lockManyCalendars(db, tenantId, [...locked])
    const instructor = await requireInstructor(db, tenantId, id)
    const hit = await lockHitAppointments(db, tenantId, question)
    // A lesson may have moved to other calendars since it was listed. Those are not locked.
    if (!calendarIdsOf(hit).every((one) => locked.has(one))) throw new Outdated()
    for (const one of new Set(named)) await requireInstructor(db, tenantId, one)
    const pairs = pairsOf(hit, decisions)
    await lockSession(db, actor)
    const lists = listsWith(instructor, period)
    requireRoom(lists)
    await changeLockedInstructor(db, actor, instructor, {
      vacations: [...lists.vacations],
      absences: [...lists.absences],
    })
    const appointments = await carryOut(db, actor, pairs)
    const set = { set_id: actor.set_id, appointments }
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(set))
  })
}

type Pair = { readonly decision: NewAbsenceDecision; readonly stored: StoredAppointment }

/** Pairs decisions with the affected lessons. Throws `stale` and `plan_outdated`. */
function pairsOf(
  hit: readonly StoredAppointment[],
  decisions: readonly NewAbsenceDecision[],
): readonly Pair[] {
  const lessons = new Map(hit.map((one) => [one.id, one]))
  for (const { appointment_id, version } of decisions)
    if ((lessons.get(appointment_id)?.version ?? version) !== version)
      throw new Problem('stale', { params: { decision_appointment_id: appointment_id } })
  const decided = new Set(decisions.map(({ appointment_id }) => appointment_id))
  const undecided_ids = hit.map((one) => one.id).filter((one) => !decided.has(one))
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

function requireRoom({ vacations, absences }: ReturnType<typeof listsWith>): void {
  if (vacations.length <= MAX_VACATIONS && absences.length <= MAX_ABSENCES) return
  const detail = `An instructor has at most ${MAX_VACATIONS} vacations and ${MAX_ABSENCES} absences.`
  throw invalidRequest([{ pointer: '/start_date', code: 'too_many', detail }])
}

async function carryOut(db: Transaction, actor: Actor, pairs: readonly Pair[]): Promise<Appointment[]> {
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
  for (const { decision, stored } of moved) written.set(stored.id, await place(db, actor, stored, decision))
  return pairs.map(({ stored }) => shown(written.get(stored.id) as StoredAppointment))
}

/** Writes a hidden lesson to its new place. Throws the first broken rule. */
async function place(
  db: Transaction,
  actor: Actor,
  stored: StoredAppointment,
  { instructor_id, start_at, end_at }: NewAbsenceDecision,
): Promise<StoredAppointment> {
  const change: AppointmentChange = {
    ...(instructor_id && { instructor_id }),
    ...(start_at && { start_at }),
    ...(end_at && { end_at }),
  }
  const decision = await appointmentUpdateFor(db, actor, stored, { change, isExpected: () => true }).catch(
    (error) => {
      throw placed(error, stored.id)
    },
  )
  return requireWritten(decision.write(db))
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

function shown({ deleted: _, cancelled_with_student: __, ...appointment }: StoredAppointment): Appointment {
  return appointment
}

import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { lockAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import { localNow } from '../../domain/time-zone.ts'
import { requireExpected } from '../expected-version.ts'
import { cancelAppointment } from './cancel-appointment.ts'

export type SeenLesson = { readonly id: string; readonly version: number }

/**
 * Confirms a coming lesson of the student. Throws `not_found`, also if students may not confirm, `stale` if the lesson has
 * changed, and `already_begun`.
 */
export async function confirmLesson(
  database: DatabasePool,
  actor: Actor,
  { id, version }: SeenLesson,
): Promise<void> {
  if (!actor.tenant.student_actions.confirm) throw notFound()
  await inTransaction(database, async (db) => {
    const stored = requireOwn(actor, await lockAppointment(db, actor.tenant.id, id))
    requireComing(actor, stored)
    if (stored.confirmed_at !== null) return
    requireExpected((current) => current === version, stored)
    if (stored.status !== 'planned') throw new Problem('stale')
    const next = { ...stored, confirmed_at: actor.now.toISOString() }
    if (!(await updateAppointment(db, actor, { stored, next }))) throw new Outdated()
  })
}

/**
 * Cancels a coming lesson at the fee that was shown. Throws `not_found`, also if students may not cancel, `stale` if the
 * lesson or the fee has changed, `already_begun` and `already_cancelled`.
 */
export async function cancelLesson(
  database: DatabasePool,
  actor: Actor,
  { id, version, fee_percent }: SeenLesson & { readonly fee_percent: number },
): Promise<void> {
  if (!actor.tenant.student_actions.cancel) throw notFound()
  await cancelAppointment(database, actor, id, {
    given: { by: 'student' },
    isExpected: (current) => current === version,
    check: (next) => {
      requireComing(actor, requireOwn(actor, next))
      if (next.cancellation?.fee_percent !== fee_percent) throw new Problem('stale')
    },
  })
}

/** Returns the lesson. Throws `not_found` unless the actor is its only student. */
export function requireOwn({ id }: Actor, stored: StoredAppointment | undefined): StoredAppointment {
  if (!stored || stored.deleted || id === null || stored.student_id !== id) throw notFound()
  return stored
}

/** Throws `already_begun` unless the lesson starts in the future. */
export function requireComing({ tenant, now }: Actor, { start_at }: StoredAppointment): void {
  if (start_at <= localNow(now, tenant.timezone)) throw new Problem('already_begun')
}

import { type AppointmentChange, intervalFaultsFor } from '../contract/appointment.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import {
  findStoredAppointment,
  lockAppointment,
  type StoredAppointment,
  updateAppointment,
} from '../db/appointments.ts'
import { hasLessonType } from '../db/lesson-types.ts'
import type { DatabasePool } from '../db/pool.ts'
import type { Database, Transaction } from '../db/tables.ts'
import { inTransaction, Outdated } from '../db/transaction.ts'
import { asksTheRules } from '../domain/booking.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { lockParticipants } from './participants.ts'
import { requireAccepted, verdictOn } from './verdict.ts'

/**
 * Changes an appointment: the change is merged with the stored row, and the rules run on the result. Throws
 * `not_found`, `invalid_request` for an end that the merge puts before the start, `stale`, and the problem of the first
 * rule that is broken.
 */
export async function changeAppointment(
  database: DatabasePool,
  tenantId: string,
  id: string,
  { change, isExpected }: { change: AppointmentChange; isExpected: ExpectedVersion },
): Promise<StoredAppointment> {
  return inTransaction(database, async (db, commitWith) => {
    const seen = await requireAppointment(db, tenantId, id)
    const proposed = { ...seen, ...change }
    requireInterval(proposed)
    const [, , stored, verdict] = await Promise.all([
      lockParticipants(db, tenantId, [seen, proposed], change),
      requireLessonType(db, tenantId, change),
      lockAgain(db, tenantId, seen),
      asksTheRules(change, seen) ? verdictOn(db, tenantId, proposed) : undefined,
    ])
    if (stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    if (Object.keys(change).length === 0) return stored
    if (!asksTheRules(change, stored)) return commitWith(updateAppointment(db, tenantId, id, change))
    const merged = { ...stored, ...change }
    requireInterval(merged)
    // Another change may have come in between: then the rules were asked about times that are no longer meant.
    const isValid = verdict !== undefined && stored.version === seen.version
    const valid = isValid ? verdict : await verdictOn(db, tenantId, merged)
    const overrides_used = requireAccepted(valid)
    return commitWith(updateAppointment(db, tenantId, id, { ...change, overrides_used }))
  })
}

/** The appointment, unless it is deleted: 404. */
export async function requireAppointment(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredAppointment> {
  const appointment = await findStoredAppointment(db, tenantId, id)
  if (!appointment || appointment.deleted) throw notFound()
  return appointment
}

async function requireLessonType(
  db: Transaction,
  tenantId: string,
  change: AppointmentChange,
): Promise<void> {
  if (change.lesson_type_id && !(await hasLessonType(db, tenantId, change.lesson_type_id))) throw notFound()
}

/** The appointment under its lock. Has it meanwhile gone to others, they should have been locked first: start over. */
export async function lockAgain(
  db: Transaction,
  tenantId: string,
  seen: StoredAppointment,
): Promise<StoredAppointment> {
  const locked = await lockAppointment(db, tenantId, seen.id)
  if (!locked) throw notFound()
  const isSame = locked.instructor_id === seen.instructor_id && locked.student_id === seen.student_id
  if (!isSame) throw new Outdated()
  return locked
}

function requireInterval(merged: StoredAppointment): void {
  const faults = intervalFaultsFor(merged)
  if (faults.length > 0) throw invalidRequest(faults)
}

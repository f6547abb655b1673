import { notFound } from '../contract/problem.ts'
import {
  findStoredAppointment,
  lockAppointment,
  type StoredAppointment,
  updateAppointment,
} from '../db/appointments.ts'
import type { DatabasePool } from '../db/pool.ts'
import { findStudent } from '../db/students.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockAgain } from './change-appointment.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { lockParticipants } from './participants.ts'
import { requireAccepted, verdictOn } from './verdict.ts'

/** Hides an appointment and frees its time; the row stays for the audit trail. Throws `not_found` and `stale`. */
export async function deleteAppointment(
  database: DatabasePool,
  tenantId: string,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db, commitWith) => {
    const appointment = await lockAppointment(db, tenantId, id)
    if (!appointment || appointment.deleted) throw notFound()
    requireExpected(isExpected, appointment)
    await commitWith(updateAppointment(db, tenantId, id, { deleted_at: new Date() }))
  })
}

/**
 * Undoes a deletion, if the rules still allow the appointment. What is not deleted stays as it is. Throws `not_found`,
 * also where the student is deleted, and the problem of the first rule that is broken.
 */
export async function restoreAppointment(
  database: DatabasePool,
  tenantId: string,
  id: string,
): Promise<StoredAppointment> {
  return inTransaction(database, async (db) => {
    const seen = await findStoredAppointment(db, tenantId, id)
    if (!seen) throw notFound()
    await lockParticipants(db, tenantId, [seen], {})
    if (seen.student_id && !(await findStudent(db, tenantId, seen.student_id))) throw notFound()
    const stored = await lockAgain(db, tenantId, seen)
    if (!stored.deleted) return stored
    if (stored.status === 'cancelled') return updateAppointment(db, tenantId, id, { deleted_at: null })
    const overrides_used = requireAccepted(await verdictOn(db, tenantId, stored))
    return updateAppointment(db, tenantId, id, { deleted_at: null, overrides_used })
  })
}

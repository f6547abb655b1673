import { v7 as uuidv7 } from 'uuid'
import type { NewAppointment } from '../contract/appointment.ts'
import { notFound } from '../contract/problem.ts'
import { insertAppointment, type StoredAppointment } from '../db/appointments.ts'
import type { DatabasePool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { isStillTrue, lockParticipants } from './participants.ts'
import { requireAccepted, verdictOn } from './verdict.ts'

/**
 * Books an appointment if the rules allow it. They are asked before anything is locked, so that a refusal costs one read
 * and waits for nobody; and again under the locks if a calendar has changed in between. Throws `not_found` for an instructor, student or lesson type that the
 * tenant does not have, and the problem of the first rule that is broken.
 */
export async function bookAppointment(
  database: DatabasePool,
  tenantId: string,
  { title, ...proposal }: NewAppointment,
): Promise<StoredAppointment> {
  const appointment = { student_id: null, status: 'planned' as const, notes: null, ...proposal, id: uuidv7() }
  const asksRules = appointment.status !== 'cancelled'
  const foreseen = await verdictOn(database, tenantId, appointment)
  if (appointment.student_id && foreseen.calendars.student === null) throw notFound()
  if (asksRules) requireAccepted(foreseen)
  let isFirstTry = true
  return inTransaction(database, async (db, commitWith) => {
    const locked = await lockParticipants(db, tenantId, [appointment], appointment)
    const isTrue = isFirstTry && isStillTrue(foreseen, locked, appointment)
    const verdict = isTrue ? foreseen : await verdictOn(db, tenantId, appointment)
    // If a constraint stops this, somebody has written without the locks: then only a new look helps.
    isFirstTry = false
    const overrides_used = asksRules ? requireAccepted(verdict) : []
    const row = { ...appointment, title: title ?? verdict.lesson_type_name, overrides_used }
    return commitWith(insertAppointment(db, tenantId, row))
  })
}

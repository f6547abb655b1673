import { v7 as uuidv7 } from 'uuid'
import type { NewAppointment } from '../contract/appointment.ts'
import { notFound } from '../contract/problem.ts'
import { insertAppointment, insertIfUnmoved, type StoredAppointment } from '../db/appointments.ts'
import type { DatabasePool } from '../db/pool.ts'
import { inTransaction, unlessRetryable } from '../db/transaction.ts'
import { lockParticipants } from './participants.ts'
import { requireAccepted, type Verdict, verdictOn } from './verdict.ts'

/**
 * Books an appointment if the rules allow it. Throws `not_found` for an instructor, student or lesson type that the
 * tenant does not have, and the problem of the first rule that is broken.
 *
 * The rules are asked before anything is locked: a refusal costs one read and waits for nobody, and an acceptance is
 * stored if the calendars are still as it saw them. If one has moved, or a constraint knows better, they are locked
 * and the rules asked again.
 */
export async function bookAppointment(
  database: DatabasePool,
  tenantId: string,
  { title, ...proposal }: NewAppointment,
): Promise<StoredAppointment> {
  const appointment = { student_id: null, status: 'planned' as const, notes: null, ...proposal, id: uuidv7() }
  const rowFor = (verdict: Verdict) => ({
    ...appointment,
    title: title ?? verdict.lesson_type_name,
    overrides_used: appointment.status === 'cancelled' ? [] : requireAccepted(verdict),
  })
  const foreseen = await verdictOn(database, tenantId, appointment)
  if (appointment.student_id && foreseen.calendars.student === null) throw notFound()
  const store = () => insertIfUnmoved(database, tenantId, rowFor(foreseen), foreseen.calendars)
  const booked = await unlessRetryable(store)
  if (booked) return booked
  return inTransaction(database, async (db, commitWith) => {
    const [, verdict] = await Promise.all([
      lockParticipants(db, tenantId, [appointment], appointment),
      verdictOn(db, tenantId, appointment),
    ])
    return commitWith(insertAppointment(db, tenantId, rowFor(verdict)))
  })
}

import { v7 as uuidv7 } from 'uuid'
import type { NewAppointment } from '../contract/appointment.ts'
import { insertAppointment, type StoredAppointment } from '../db/appointments.ts'
import type { DatabasePool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockParticipants } from './participants.ts'
import { requireAccepted, verdictOn } from './verdict.ts'

/**
 * Books an appointment if the rules allow it. Throws `not_found` for an instructor, student or lesson type that the
 * tenant does not have, and the problem of the first rule that is broken.
 */
export async function bookAppointment(
  database: DatabasePool,
  tenantId: string,
  { title, ...proposal }: NewAppointment,
): Promise<StoredAppointment> {
  const appointment = { student_id: null, status: 'planned' as const, notes: null, ...proposal, id: uuidv7() }
  return inTransaction(database, async (db, commitWith) => {
    const [, verdict] = await Promise.all([
      lockParticipants(db, tenantId, [appointment], appointment),
      verdictOn(db, tenantId, appointment),
    ])
    const overrides_used = appointment.status === 'cancelled' ? [] : requireAccepted(verdict)
    return commitWith(
      insertAppointment(db, tenantId, {
        ...appointment,
        title: title ?? verdict.lesson_type_name,
        overrides_used,
      }),
    )
  })
}

import { v7 as uuidv7 } from 'uuid'
import type { NewAppointment } from '../contract/appointment.ts'
import { notFound } from '../contract/problem.ts'
import { type AppointmentValues, insertAppointment, type StoredAppointment } from '../db/appointments.ts'
import { findLessonType } from '../db/lesson-types.ts'
import type { Database } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockParticipants } from './participants.ts'
import { requireAcceptance } from './verdict.ts'

/**
 * Books an appointment if the rules allow it. Throws `not_found` for an instructor, student or lesson type that the
 * tenant does not have, and the problem of the first rule that is broken.
 */
export async function bookAppointment(
  database: Database,
  tenantId: string,
  proposal: NewAppointment,
): Promise<StoredAppointment> {
  return inTransaction(database, async (db) => {
    await lockParticipants(db, tenantId, [proposal], proposal)
    const lessonType = await findLessonType(db, tenantId, proposal.lesson_type_id)
    if (!lessonType) throw notFound()
    const appointment: AppointmentValues = {
      instructor_id: proposal.instructor_id,
      student_id: proposal.student_id ?? null,
      lesson_type_id: proposal.lesson_type_id,
      start_at: proposal.start_at,
      end_at: proposal.end_at,
      title: proposal.title ?? lessonType.name,
      status: proposal.status ?? 'planned',
      notes: proposal.notes ?? null,
      overrides_used: [],
    }
    const cancelled = appointment.status === 'cancelled'
    const overrides_used = cancelled ? [] : await requireAcceptance(db, tenantId, appointment)
    return insertAppointment(db, tenantId, { ...appointment, overrides_used, id: uuidv7() })
  })
}

import type { Actor } from '../contract/actor.ts'
import type { NewAppointment } from '../contract/appointment.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, requireAccepted } from '../contract/problem.ts'
import { insertAppointment, type StoredAppointment } from '../db/appointments.ts'
import { requireAgenda } from '../db/calendars.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import type { DatabasePool } from '../db/pool.ts'
import type { Database } from '../db/tables.ts'
import { verdictOn } from '../domain/booking.ts'
import { isCounted } from '../domain/counted.ts'
import { decide } from './decide.ts'

/**
 * Books an appointment if the rules allow it. Throws `not_found` for an instructor, student or lesson type that the
 * tenant does not have, and the problem of the first rule that is broken; fails where its key is taken (`once.ts`).
 */
export async function bookAppointment(
  database: DatabasePool,
  actor: Actor,
  { title, ...wanted }: NewAppointment,
  key?: IdempotencyKey,
): Promise<StoredAppointment> {
  const appointment = { student_id: null, status: 'planned' as const, notes: null, ...wanted, id: newId() }
  const look = async (db: Database) => {
    const { proposal, agenda, seen, ...loaded } = await requireAgenda(db, actor.tenant, appointment)
    if (loaded.isStudentDeleted) throw notFound()
    const overrides_used = isCounted(appointment) ? requireAccepted(verdictOn(proposal, agenda)) : []
    const row = { ...appointment, title: title ?? loaded.lesson_type_name, overrides_used }
    return { seen, write: (at: Database) => insertAppointment(at, actor, row, { seen, key }) }
  }
  return decide(database, actor, { look })
}

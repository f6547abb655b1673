import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment, NewAppointment } from '../../contract/appointment.ts'
import type { Batch } from '../../contract/batch.ts'
import { newId } from '../../contract/new-id.ts'
import { Problem } from '../../contract/problem.ts'
import { insertAppointment } from '../../db/appointments/write-appointment.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { calendarIdsOf } from '../../domain/occupants.ts'
import { commitOnce } from '../idempotent.ts'
import { followExam } from '../trainings/passed-exams.ts'
import { bookingOf } from './book-appointment.ts'

/**
 * Books appointments in one transaction, all or none, each checked against those before it. Throws `not_found`, or the first
 * refusal with `appointment_index`. Fails if the key is taken.
 */
export async function bookBatch(
  database: DatabasePool,
  actor: Actor,
  wanted: readonly NewAppointment[],
  key: IdempotencyKey | undefined,
): Promise<Batch> {
  return inTransaction(database, async (db, commitWith) => {
    await lockCalendars(db, actor.tenant.id, calendarIdsOf(wanted))
    await lockSession(db, actor)
    const appointments: Appointment[] = []
    for (const [index, one] of wanted.entries()) appointments.push(await bookOne(db, actor, one, index))
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve({ appointments }))
  })
}

async function bookOne(
  db: Transaction,
  actor: Actor,
  wanted: NewAppointment,
  index: number,
): Promise<Appointment> {
  const { row, seen } = await bookingOf(db, actor, { ...wanted, id: newId() }).catch((error: unknown) => {
    throw withAppointmentIndex(error, index)
  })
  const written = await insertAppointment(db, actor, row, { seen, key: undefined })
  if (!written) throw new Outdated()
  if (written.exam_result) await followExam(db, actor, { after: written })
  const { deleted: _, cancelled_with_student: __, ...booked } = written
  return booked
}

function withAppointmentIndex(error: unknown, appointment_index: number): unknown {
  if (!(error instanceof Problem && error.refusals)) return error
  const { code, params, refusals } = error
  return new Problem(code, { params: { ...params, appointment_index }, refusals })
}

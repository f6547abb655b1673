import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import { eraseFromAppointments } from '../db/appointment-sets.ts'
import { lockCalendars } from '../db/calendar-locks.ts'
import { recordChanges, scrubStudent } from '../db/changes.ts'
import { scrubKeptAnswers } from '../db/idempotency-keys.ts'
import type { DatabasePool } from '../db/pool.ts'
import { deleteStudentRow, lockStudent } from '../db/students.ts'
import { inTransaction } from '../db/transaction.ts'

/**
 * Erases a deleted student for good: the row, what the lessons say of it, and what the log of changes and the answers
 * that are kept under keys tell of both. The lessons stay, without the student: worked minutes are the instructor's evidence. Only the owner of the tables may
 * rewrite the log. Throws `not_found` for a student who is unknown or not deleted.
 */
export async function eraseStudent(database: DatabasePool, actor: Actor, id: string): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockCalendars(db, actor.tenant.id, [id])
    const student = await lockStudent(db, actor.tenant.id, id)
    if (!student?.deleted) throw notFound()
    await scrubKeptAnswers(db, actor.tenant.id, id)
    await scrubStudent(db, actor.tenant.id, id)
    await eraseFromAppointments(db, actor, id)
    await deleteStudentRow(db, actor.tenant.id, id)
    await recordChanges(db, actor, [
      { resource: 'student', resource_id: id, action: 'erased', before: null, after: null },
    ])
  })
}

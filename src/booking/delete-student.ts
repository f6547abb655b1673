import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import { cancelFutureAppointmentsOf } from '../db/appointment-sets.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { leaveFutureGroups } from '../db/groups.ts'
import { endLink } from '../db/links.ts'
import { lockStudent, updateStudent } from '../db/students.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'

/** Hides a student and cancels coming lessons. Past ones stay: worked minutes are evidence. Throws `not_found` and `stale`. */
export async function deleteStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const [, stored] = await Promise.all([
      lockCalendars(db, actor.tenant.id, [id]),
      lockStudent(db, actor.tenant.id, id),
    ])
    if (!stored || stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    await Promise.all([
      updateStudent(db, actor, { stored, next: { ...stored, deleted: true } }),
      cancelFutureAppointmentsOf(db, actor, id),
      leaveFutureGroups(db, actor, id),
    ])
    await endLink(db, actor, { kind: 'student_link', id })
  })
}

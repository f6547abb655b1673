import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { Hold, NewHold } from '../../contract/retention.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { findHold, setHold } from '../../db/students/holds.ts'
import { lockStudent } from '../../db/students/students.ts'

/** Sets the hold of a student, deleted or not, or replaces it, and returns it. Throws `not_found`. */
export async function holdStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { reason, until = null }: NewHold,
): Promise<Hold> {
  const hold = { reason, until }
  await writeHold(database, actor, id, hold)
  return hold
}

/** Ends the hold of a student. Throws `not_found` if there is none. */
export async function endHold(database: DatabasePool, actor: Actor, id: string): Promise<void> {
  await writeHold(database, actor, id, null)
}

async function writeHold(database: DatabasePool, actor: Actor, id: string, hold: Hold | null): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockCalendars(db, actor.tenant.id, [id])
    if (!(await lockStudent(db, actor.tenant.id, id))) throw notFound()
    await lockSession(db, actor)
    const stored = await findHold(db, actor.tenant.id, id)
    if (!stored && !hold) throw notFound()
    if (hold && stored?.reason === hold.reason && stored.until === hold.until) return
    await setHold(db, actor, id, hold)
  })
}

import type { Actor } from '../contract/actor.ts'
import type { Closure, NewClosure } from '../contract/closure.ts'
import { newId } from '../contract/new-id.ts'
import { notFound } from '../contract/problem.ts'
import { insertClosure, lockClosures, lockInstructorCalendars, setClosureDeleted } from '../db/closures.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

/** Closes the school on days; booked lessons stay. Fails if the key is taken. */
export async function closeSchool(
  database: DatabasePool,
  actor: Actor,
  { note = null, ...dates }: NewClosure,
  key?: IdempotencyKey,
): Promise<Closure> {
  return inTransaction(database, async (db, commitWith) => {
    await lockInstructorCalendars(db, actor.tenant.id)
    const stored = insertClosure(db, actor, { id: newId(), ...dates, note })
    return commitOnce({ db, actor, commitWith }, key, stored)
  })
}

export async function deleteClosure(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockInstructorCalendars(db, actor.tenant.id)
    const [stored] = await lockClosures(db, actor.tenant.id, [id])
    if (!stored || stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    await setClosureDeleted(db, actor, stored, true)
  })
}

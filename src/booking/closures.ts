import type { Actor } from '../contract/actor.ts'
import type { Closure, NewClosure } from '../contract/closure.ts'
import { newId } from '../contract/new-id.ts'
import { CLOSURES, lockInstructorCalendars } from '../db/closures.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { insertRow, lockRows, updateRow } from '../db/resource-rows.ts'
import { deletion } from './deletion.ts'
import { commitOnce } from './idempotent.ts'

/** Adds a closure to the school; booked lessons stay. Fails if the key is taken. */
export async function closeSchool(
  database: DatabasePool,
  actor: Actor,
  { note = null, ...dates }: NewClosure,
  key?: IdempotencyKey,
): Promise<Closure> {
  return inTransaction(database, async (db, commitWith) => {
    await lockInstructorCalendars(db, actor.tenant.id)
    const stored = insertRow(db, actor, CLOSURES, { id: newId(), ...dates, note })
    return commitOnce({ db, actor, commitWith }, key, stored)
  })
}

export const deleteClosure = deletion(
  async (db, actor, id) => {
    await lockInstructorCalendars(db, actor.tenant.id)
    const [stored] = await lockRows(db, actor.tenant.id, CLOSURES, [id])
    return stored
  },
  (db, actor, stored) => updateRow(db, actor, CLOSURES, { stored, next: { ...stored, deleted: true } }),
)

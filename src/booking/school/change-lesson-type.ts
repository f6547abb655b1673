import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { LessonType, LessonTypeChange } from '../../contract/lesson-type.ts'
import { notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { findLessonType, lockLessonTypes, updateLessonTypes } from '../../db/school/lesson-types.ts'
import { positionsAfterMove } from '../../domain/list-order.ts'
import { type Intent, requireExpected } from '../expected-version.ts'

/** Changes a lesson type and moves others to make room in the order. Throws `not_found` and `stale`. */
export async function changeLessonType(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<LessonTypeChange>,
): Promise<LessonType> {
  return inTransaction(database, async (db) => {
    const all = await lockLessonTypes(db, actor.tenant.id)
    const stored = all.find((one) => one.id === id)
    if (!stored) throw notFound()
    await lockSession(db, actor)
    requireExpected(isExpected, stored)
    const positions = positionsAfterMove(all, stored, change.position ?? stored.position)
    const replacements = all.map((one) => ({
      stored: one,
      next: {
        ...one,
        ...(one.id === id && change),
        position: positions.get(one.id) ?? one.position,
      },
    }))
    await updateLessonTypes(db, actor, replacements)
    return (await findLessonType(db, actor.tenant.id, id)) ?? stored
  })
}

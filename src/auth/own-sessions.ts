import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { lockSchoolUser } from '../db/accounts/school-users.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { lockSession } from './lock-session.ts'
import type { Session } from './session.ts'

/** Ends one of the user's own sessions and returns its family. Throws `not_found` for another user's. */
export async function endSession(
  database: DatabasePool,
  actor: Actor,
  { user }: Session,
  id: string,
): Promise<readonly string[]> {
  const ended = await endSessions(database, actor, user.id, { only: id })
  if (ended.length === 0) throw notFound()
  return ended
}

/** Ends all the user's sessions except the current one and returns the ended families. */
export async function endOtherSessions(
  database: DatabasePool,
  actor: Actor,
  { user, familyId }: Session,
): Promise<readonly string[]> {
  return endSessions(database, actor, user.id, { except: familyId })
}

async function endSessions(
  database: DatabasePool,
  actor: Actor,
  userId: string,
  which: { readonly only: string } | { readonly except: string },
): Promise<readonly string[]> {
  return inTransaction(database, async (db) => {
    await lockSchoolUser(db, actor.tenant.id, userId)
    await lockSession(db, actor)
    const ended = await revokeFamiliesOf(db, userId, 'ended', { ...which, loginsOnly: true })
    if (ended.length > 0) {
      await recordUser(db, actor, userId, { before: {}, after: { sessions_ended: ended.length } })
    }
    return ended
  })
}

import { Problem } from '../contract/problem.ts'
import { lockFamily, revokeFamily } from '../db/accounts/refresh-tokens.ts'
import { listSessionUsers, lockUsers } from '../db/accounts/session-users.ts'
import type { Transaction } from '../db/schema/tables.ts'
import type { MarkedLogin } from './challenges.ts'
import { passwordMark } from './second-factor-step.ts'

/** Ends a session that switches to a user. Returns the other users whose password its login proved. Throws `unauthenticated`. */
export async function leaveSession(
  db: Transaction,
  familyId: string,
  userId: string,
): Promise<readonly string[]> {
  await lockUsers(db, await listSessionUsers(db, familyId))
  const session = await lockFamily(db, familyId)
  // Read again: `lockUsers` may have waited for a new password, which revokes the right to switch to its user.
  const proved = await listSessionUsers(db, familyId)
  if (!session || !proved.includes(userId)) throw new Problem('unauthenticated')
  await revokeFamily(db, familyId, 'switched')
  return [session.user_id, ...proved.filter((id) => id !== userId)]
}

/** Locks users and returns those whose password has not changed since it was proved. */
export async function lockMarkedUsers(
  db: Transaction,
  marked: readonly MarkedLogin[],
): Promise<readonly string[]> {
  const marks = new Map(marked.map(({ id, mark }) => [id, mark]))
  const held = await lockUsers(db, [...marks.keys()])
  return held.filter((login) => marks.get(login.id) === passwordMark(login)).map(({ id }) => id)
}

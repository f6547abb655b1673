import type { Actor } from '../contract/actor.ts'
import { Problem } from '../contract/problem.ts'
import { dropLinks } from '../db/accounts/password-links.ts'
import { deleteInvitedUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { forgetMailsTo } from '../db/mails.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { requireUser } from './require-user.ts'

/** Deletes an invited user with links and mails. Throws `not_found`, `stale`, and `invitation_accepted`. */
export async function withdrawInvitation(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const user = await requireUser(db, actor, id)
    requireExpected(isExpected, user)
    await dropLinks(db, actor.tenant.id, id)
    if (!(await deleteInvitedUser(db, actor, user))) throw new Problem('invitation_accepted')
    await forgetMailsTo(db, actor.tenant.id, [user.email])
  })
}

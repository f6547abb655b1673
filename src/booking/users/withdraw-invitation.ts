import { Problem } from '../../contract/problem.ts'
import { dropLinks } from '../../db/accounts/password-links.ts'
import { deleteInvitedUser } from '../../db/accounts/users.ts'
import { forgetMailsOfUser } from '../../db/messages/mails.ts'
import { deletion } from '../deletion.ts'
import { requireUser } from './require-user.ts'

/** Deletes an invited user and their links and mails. Throws `not_found`, `stale`, and `invitation_accepted`. */
export const withdrawInvitation = deletion(requireUser, async (db, actor, user) => {
  await dropLinks(db, actor.tenant.id, user.id)
  if (!(await deleteInvitedUser(db, actor, user))) throw new Problem('invitation_accepted')
  await forgetMailsOfUser(db, actor.tenant.id, user.email)
})

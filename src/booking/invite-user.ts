import { accountFor, type LoginContext, requireAllowed } from '../auth/login.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { NewUser, SchoolUser } from '../contract/user.ts'
import { hasInstructor } from '../db/instructors.ts'
import { type Attempt, recordFailure } from '../db/login-attempts.ts'
import { type LinkKind, putLink } from '../db/password-links.ts'
import type { DatabasePool } from '../db/pool.ts'
import { lockSchoolUser, requireSchoolUser } from '../db/school-users.ts'
import type { Transaction } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { insertUser, recordUser } from '../db/users.ts'

/** What a link carries: it is told this once, and stored as a hash. `expires_at` in RFC 3339. */
export type FreshLink = { readonly secret: string; readonly expires_at: string }

/**
 * Makes a user of the actor's school who has no password yet, and the link to set one. Throws `not_found` for an
 * instructor that the school does not have, and `email_taken`, which says no more than that: whose users there are at other
 * schools is not to be tried out, so that such answers are counted, and too many of them are `too_many_requests`.
 */
export async function inviteUser(
  database: DatabasePool,
  actor: Actor,
  { email, name, role, instructor_id = null }: NewUser,
  { network, limits }: LoginContext,
): Promise<{ readonly user: SchoolUser; readonly link: FreshLink }> {
  const attempt: Attempt = { account: `invitation by ${actor.id}`, network }
  await requireAllowed(database, attempt, limits)
  const stored = {
    id: newId(),
    email: accountFor(email),
    name,
    role,
    instructor_id,
    password_hash: null,
  } as const
  const made = await inTransaction(database, async (db) => {
    if (instructor_id && !(await hasInstructor(db, actor.tenant.id, instructor_id))) throw notFound()
    if (!(await insertUser(db, actor, stored))) return undefined
    const link = await freshLink(db, stored.id, 'invitation')
    return { user: await requireSchoolUser(db, actor.tenant.id, stored.id), link }
  })
  if (made) return made
  await recordFailure(database, attempt)
  throw new Problem('email_taken')
}

/**
 * Makes an invited user a new link; an older one ends. Throws `not_found`, `invitation_accepted` for a user who has a
 * password, and `user_inactive` for a disabled one.
 */
export async function inviteAgain(database: DatabasePool, actor: Actor, id: string): Promise<FreshLink> {
  return inTransaction(database, async (db) => {
    const { state, invited_until } = await requireUser(db, actor, id)
    if (state === 'disabled') throw new Problem('user_inactive')
    if (state === 'active') throw new Problem('invitation_accepted')
    const link = await freshLink(db, id, 'invitation')
    const after = { invited_until: link.expires_at }
    await recordUser(db, actor, id, { before: { invited_until }, after })
    return link
  })
}

/**
 * Makes a user who has forgotten the password a link to set another; the old one goes on until then. Throws `not_found`, and
 * `user_inactive` for a user who is disabled or still invited.
 */
export async function linkToReset(database: DatabasePool, actor: Actor, id: string): Promise<FreshLink> {
  return inTransaction(database, async (db) => {
    const { state } = await requireUser(db, actor, id)
    if (state !== 'active') throw new Problem('user_inactive')
    const link = await freshLink(db, id, 'reset')
    await recordUser(db, actor, id, { before: {}, after: { reset_until: link.expires_at } })
    return link
  })
}

async function requireUser(db: Transaction, actor: Actor, id: string): Promise<SchoolUser> {
  const user = await lockSchoolUser(db, actor.tenant.id, id)
  if (!user) throw notFound()
  return user
}

async function freshLink(db: Transaction, userId: string, kind: LinkKind): Promise<FreshLink> {
  const secret = newSecret()
  return { secret, expires_at: await putLink(db, userId, { kind, secret_hash: hashOf(secret) }) }
}

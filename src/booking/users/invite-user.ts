import type { LinkSeals } from '../../auth/link-seals.ts'
import { lockSession } from '../../auth/lock-session.ts'
import { accountFor, type LoginContext, requireAllowed } from '../../auth/login.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { InvitationAgain, NewUser, PasswordLink, SchoolUser } from '../../contract/user.ts'
import { type LoginAttempt, recordFailure } from '../../db/accounts/login-attempts.ts'
import { hasFreshReset } from '../../db/accounts/password-links.ts'
import { requireSchoolUser } from '../../db/accounts/school-users.ts'
import { insertUser, recordUser, setEmail } from '../../db/accounts/users.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { findKeptAnswer, type IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { hasInstructor } from '../../db/school/instructors.ts'
import { commitOnce } from '../idempotent.ts'
import { handOutLink, type Links } from './hand-out-link.ts'
import { requireUser } from './require-user.ts'

type Invitation = LoginContext & { readonly links: Links }

/** An invited user, and the link with a sealed address, as stored for retries. */
export type InvitedUser = { readonly user: SchoolUser; readonly invitation: PasswordLink }

type Once = { readonly seals: LinkSeals; readonly key?: IdempotencyKey | undefined }

/**
 * Creates a user without a password, and a link to set one. Throws `not_found` for an unknown instructor, `too_many_mails`,
 * and `email_taken`. Counts the latter, except in a retry, because it may reveal other schools' users: too many throw
 * `too_many_requests`. Fails if the key is taken.
 */
export async function inviteUser(
  database: DatabasePool,
  actor: Actor,
  { email, name, role, instructor_id = null }: NewUser,
  { network, limits, links, seals, key }: Invitation & Once,
): Promise<InvitedUser> {
  const attempt: LoginAttempt = { kind: 'invitation', account: String(actor.id), network }
  await requireAllowed(database, attempt, limits)
  const stored = {
    id: newId(),
    email: accountFor(email),
    name,
    role,
    instructor_id,
    password_hash: null,
  } as const
  const made = await inTransaction(database, async (db, commitWith) => {
    await lockSession(db, actor)
    if (instructor_id && !(await hasInstructor(db, actor.tenant.id, instructor_id))) throw notFound()
    if (!(await insertUser(db, actor, stored))) return undefined
    const link = await handOutLink(db, actor, stored, { kind: 'invitation', links })
    const invitation = { ...link, url: seals.seal(stored.id, link.url) }
    const invited = requireSchoolUser(db, actor.tenant.id, stored.id).then((user) => ({ user, invitation }))
    return commitOnce({ db, actor, commitWith }, key, invited)
  })
  if (made) return made
  if (!key || !(await findKeptAnswer(database, actor, key))) await recordFailure(database, attempt)
  throw new Problem('email_taken')
}

/**
 * Replaces the link of an invited user, and the address if given. Throws `not_found`, `invitation_accepted`,
 * `user_inactive`, `too_many_mails`, and `email_taken` (counted as by `inviteUser`).
 */
export async function inviteAgain(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { email, network, limits, links }: Invitation & InvitationAgain,
): Promise<PasswordLink> {
  if (email === undefined) return renewInvitation(database, actor, id, { links })
  const attempt: LoginAttempt = { kind: 'invitation', account: String(actor.id), network }
  await requireAllowed(database, attempt, limits)
  try {
    return await renewInvitation(database, actor, id, { links, email: accountFor(email) })
  } catch (error) {
    if (error instanceof Problem && error.code === 'email_taken') await recordFailure(database, attempt)
    throw error
  }
}

async function renewInvitation(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { links, email }: InvitationAgain & Pick<Invitation, 'links'>,
): Promise<PasswordLink> {
  return inTransaction(database, async (db) => {
    const user = await requireUser(db, actor, id)
    if (user.state === 'disabled') throw new Problem('user_inactive')
    if (user.state === 'active') throw new Problem('invitation_accepted')
    const corrected = email === undefined || email === user.email ? {} : { email }
    if (corrected.email !== undefined) await setEmail(db, actor, id, corrected.email)
    const link = await handOutLink(db, actor, { ...user, ...corrected }, { kind: 'invitation', links })
    const after = { ...corrected, invited_until: link.expires_at }
    const before = { ...(corrected.email && { email: user.email }), invited_until: user.invited_until }
    await recordUser(db, actor, id, { before, after })
    return link
  })
}

/** Creates a link to reset the password; the old one works until then. Throws `not_found`, `user_inactive`, `too_many_mails`. */
export async function linkToReset(
  database: DatabasePool,
  actor: Actor,
  id: string,
  links: Links,
): Promise<PasswordLink> {
  return inTransaction(database, async (db) =>
    makeReset(db, actor, await requireActive(db, actor, id), links),
  )
}

/** Does the same unless the user has a fresh link: anybody may request one, but must not end the link that was just mailed. */
export async function linkToResetUnlessFresh(
  database: DatabasePool,
  actor: Actor,
  id: string,
  links: Links,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const user = await requireActive(db, actor, id)
    if (!(await hasFreshReset(db, id))) await makeReset(db, actor, user, links)
  })
}

async function makeReset(
  db: Transaction,
  actor: Actor,
  user: SchoolUser,
  links: Links,
): Promise<PasswordLink> {
  const link = await handOutLink(db, actor, user, { kind: 'reset', links })
  await recordUser(db, actor, user.id, { before: {}, after: { reset_until: link.expires_at } })
  return link
}

async function requireActive(db: Transaction, actor: Actor, id: string): Promise<SchoolUser> {
  const user = await requireUser(db, actor, id)
  if (user.state !== 'active') throw new Problem('user_inactive')
  return user
}

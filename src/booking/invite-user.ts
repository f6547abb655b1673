import { holdSession } from '../auth/hold-session.ts'
import { accountFor, type LoginContext, requireAllowed } from '../auth/login.ts'
import { hashOf, newSecret } from '../auth/secret.ts'
import type { Actor } from '../contract/actor.ts'
import type { MailText } from '../contract/mail.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { NewUser, PasswordLink, SchoolUser } from '../contract/user.ts'
import { hasInstructor } from '../db/instructors.ts'
import { type Attempt, recordFailure } from '../db/login-attempts.ts'
import { putMail } from '../db/mails.ts'
import { type LinkKind, putLink } from '../db/password-links.ts'
import type { DatabasePool } from '../db/pool.ts'
import { requireSchoolUser } from '../db/school-users.ts'
import type { Transaction } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { insertUser, recordUser } from '../db/users.ts'
import { requireUser } from './require-user.ts'

/** How links are handed out: at which address a secret is used, and whether users get theirs by mail. */
export type Links = {
  readonly urlOf: (kind: LinkKind, secret: string) => string
  readonly isMailed: boolean
}

/** What inviting needs beside the user. */
type Invitation = LoginContext & { readonly links: Links }

/**
 * Makes a user of the actor's school who has no password yet, and the link to set one. Throws `not_found` for an
 * instructor that the school does not have, and `email_taken`, which says no more than that: whose users there are at other
 * schools is not to be tried out, so that such answers are counted, and too many of them are `too_many_requests`.
 */
export async function inviteUser(
  database: DatabasePool,
  actor: Actor,
  { email, name, role, instructor_id = null }: NewUser,
  { network, limits, links }: Invitation,
): Promise<{ readonly user: SchoolUser; readonly invitation: PasswordLink }> {
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
    await holdSession(db, actor)
    if (instructor_id && !(await hasInstructor(db, actor.tenant.id, instructor_id))) throw notFound()
    if (!(await insertUser(db, actor, stored))) return undefined
    const invitation = await handOut(db, actor, stored, { kind: 'invitation', links })
    return { user: await requireSchoolUser(db, actor.tenant.id, stored.id), invitation }
  })
  if (made) return made
  await recordFailure(database, attempt)
  throw new Problem('email_taken')
}

/**
 * Makes an invited user a new link; an older one ends. Throws `not_found`, `invitation_accepted` for a user who has a
 * password, and `user_inactive` for a disabled one.
 */
export async function inviteAgain(
  database: DatabasePool,
  actor: Actor,
  id: string,
  links: Links,
): Promise<PasswordLink> {
  return inTransaction(database, async (db) => {
    const user = await requireUser(db, actor, id)
    const { state, invited_until } = user
    if (state === 'disabled') throw new Problem('user_inactive')
    if (state === 'active') throw new Problem('invitation_accepted')
    const link = await handOut(db, actor, user, { kind: 'invitation', links })
    const after = { invited_until: link.expires_at }
    await recordUser(db, actor, id, { before: { invited_until }, after })
    return link
  })
}

/**
 * Makes a user who has forgotten the password a link to set another; the old one goes on until then. Throws `not_found`, and
 * `user_inactive` for a user who is disabled or still invited.
 */
export async function linkToReset(
  database: DatabasePool,
  actor: Actor,
  id: string,
  links: Links,
): Promise<PasswordLink> {
  return inTransaction(database, async (db) => {
    const user = await requireUser(db, actor, id)
    if (user.state !== 'active') throw new Problem('user_inactive')
    const link = await handOut(db, actor, user, { kind: 'reset', links })
    await recordUser(db, actor, id, { before: {}, after: { reset_until: link.expires_at } })
    return link
  })
}

type Handing = { readonly kind: LinkKind; readonly links: Links }

/** Makes a link of a user who is locked, and puts it into the outbox where users get theirs by mail. */
async function handOut(
  db: Transaction,
  actor: Actor,
  { id, email, name }: Pick<SchoolUser, 'id' | 'email' | 'name'>,
  { kind, links: { urlOf, isMailed } }: Handing,
): Promise<PasswordLink> {
  const secret = newSecret()
  const expires_at = await putLink(db, id, { kind, secret_hash: hashOf(secret) })
  const url = urlOf(kind, secret)
  if (isMailed) {
    const text: MailText =
      kind === 'invitation'
        ? { template: 'invitation', params: { inviter: actor.name, url } }
        : { template: 'password_reset', params: { url } }
    const to = { address: email, name }
    await putMail(db, actor.tenant.id, { ...text, to, worth_until: new Date(expires_at) })
  }
  return { url, expires_at, is_mailed: isMailed }
}

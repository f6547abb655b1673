import { replaceEmail } from '../../auth/email-change.ts'
import { accountFor, type LoginContext, requireAllowed } from '../../auth/login.ts'
import { requireProof } from '../../auth/proof.ts'
import { hashOf, newSecret } from '../../auth/secret.ts'
import type { Session } from '../../auth/session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { EmailChange } from '../../contract/email-change.ts'
import type { MailText } from '../../contract/mail.ts'
import { Problem } from '../../contract/problem.ts'
import type { SchoolUser } from '../../contract/user.ts'
import { type LoginAttempt, recordFailure } from '../../db/accounts/login-attempts.ts'
import { EMAIL_LINKS, putLink } from '../../db/accounts/password-links.ts'
import { isAddressAvailable, recordUser } from '../../db/accounts/users.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { putMail } from '../../db/messages/mails.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { type Links, requireMailAllowed } from './hand-out-link.ts'
import { requireUser } from './require-user.ts'

type EmailChangeRequest = { readonly id: string; readonly email: string; readonly session: Session }
type Outcome = { readonly change: EmailChange; readonly revoked: readonly string[] }

/**
 * Mails links to an active user's old and new address; the address changes once both confirm. Without mail, an owner changes
 * it at once. Throws `not_found`, `user_inactive`, `proof_required`, `no_mail`, `too_many_mails`, and `email_taken` (counted
 * as by `inviteUser`).
 */
export async function changeEmail(
  database: DatabasePool,
  actor: Actor,
  { email, ...request }: EmailChangeRequest,
  { network, limits, links }: LoginContext & { readonly links: Links },
): Promise<Outcome> {
  const attempt: LoginAttempt = { kind: 'invitation', account: String(actor.id), network }
  await requireAllowed(database, attempt, limits)
  const change = { ...request, email: accountFor(email) }
  try {
    return await inTransaction(database, (db) => changeInTransaction(db, actor, change, links))
  } catch (error) {
    if (error instanceof Problem && error.code === 'email_taken') await recordFailure(database, attempt)
    throw error
  }
}

async function changeInTransaction(
  db: Transaction,
  actor: Actor,
  { id, email, session }: EmailChangeRequest,
  links: Links,
): Promise<Outcome> {
  const user = await requireUser(db, actor, id)
  if (user.state !== 'active') throw new Problem('user_inactive')
  await requireProof(db, session)
  if (!links.isMailed && actor.role !== 'owner') throw new Problem('no_mail')
  if (!(await isAddressAvailable(db, actor.tenant.id, email))) throw new Problem('email_taken')
  if (links.isMailed) return { change: await mailBoth(db, actor, { user, email }, links), revoked: [] }
  const except = id === session.user.id ? session.familyId : null
  const revoked = await replaceEmail(db, actor, user, { email, except })
  return { change: { email, is_changed: true, expires_at: null }, revoked }
}

async function mailBoth(
  db: Transaction,
  actor: Actor,
  { user, email }: { readonly user: SchoolUser; readonly email: string },
  { urlOf }: Links,
): Promise<EmailChange> {
  const { tenant } = actor
  let expires_at = ''
  for (const kind of EMAIL_LINKS) {
    const address = kind === 'email_old' ? user.email : email
    await requireMailAllowed(db, tenant.id, address)
    const secret = newSecret()
    const link = { kind, secret_hash: hashOf(secret), email }
    expires_at = await putLink(db, { tenantId: tenant.id, userId: user.id }, link)
    const url = urlOf(kind, secret)
    const text: MailText =
      kind === 'email_old'
        ? { template: 'email_change_notice', params: { email, url } }
        : { template: 'email_change', params: { url } }
    const to = { address, name: user.name }
    await putMail(db, tenant.id, { ...text, to, worth_until: new Date(expires_at) })
  }
  const before = { email_requested: user.requested_email }
  await recordUser(db, actor, user.id, { before, after: { email_requested: email } })
  return { email, is_changed: false, expires_at }
}

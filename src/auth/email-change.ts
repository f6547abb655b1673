import type { Actor } from '../contract/actor.ts'
import type { EmailChangeLink } from '../contract/email-change.ts'
import { notFound } from '../contract/problem.ts'
import {
  confirmEmailLink,
  dropEmailLinks,
  EMAIL_LINKS,
  findLinkedUser,
  type LinkedUser,
  type LinkSearch,
} from '../db/accounts/password-links.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { lockSchoolUser } from '../db/accounts/school-users.ts'
import { dropSessionUsers } from '../db/accounts/session-users.ts'
import { recordUser, setEmail } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import type { LoginContext } from './login.ts'
import { actorOf, type LinkContext, requireLinked } from './password-links.ts'
import { hashOf } from './secret.ts'

/** Returns the change of address that a link confirms. Throws as `requireLinked` does. */
export async function findEmailChange(
  db: Database,
  token: string,
  context: LoginContext,
): Promise<EmailChangeLink> {
  const { name, kind, new_email, is_confirmed, expires_at, tenant_id } = await requireLinked(
    db,
    searchFor(token),
    context,
  )
  const { name: school } = await requireTenant(db, tenant_id)
  const sent_to = kind === 'email_old' ? 'old' : 'new'
  return { school, name, email: String(new_email), sent_to, is_confirmed, expires_at }
}

type Confirmation = {
  readonly user: LinkedUser
  readonly is_changed: boolean
  readonly revoked: readonly string[]
}

/** Confirms one of the two addresses. The second confirmation sets the new one and ends sessions and links. Also throws `email_taken`. */
export async function confirmEmailChange(
  database: DatabasePool,
  token: string,
  context: LinkContext,
): Promise<Confirmation> {
  return withLink(database, token, context, async (db, actor, user) => {
    if (!(await confirmEmailLink(db, user.id, user.kind))) return { user, is_changed: false, revoked: [] }
    const revoked = await replaceEmail(db, actor, user, { email: String(user.new_email) })
    return { user, is_changed: true, revoked }
  })
}

/** Cancels a change of address by the link of either address. Throws as `requireLinked` does. */
export async function stopEmailChange(
  database: DatabasePool,
  token: string,
  context: LinkContext,
): Promise<LinkedUser> {
  return withLink(database, token, context, async (db, actor, user) => {
    await dropEmailLinks(db, actor.tenant.id, user.id)
    await recordUser(db, actor, user.id, {
      before: { email_requested: user.new_email },
      after: { email_requested: null },
    })
    return user
  })
}

/** Sets a locked user's address and ends links and sessions, except one session if given. Returns the ended sessions. */
export async function replaceEmail(
  db: Transaction,
  actor: Actor,
  user: Pick<LinkedUser, 'id' | 'email'>,
  { email, except = null }: { readonly email: string; readonly except?: string | null },
): Promise<readonly string[]> {
  await setEmail(db, actor, user.id, email)
  await recordUser(db, actor, user.id, { before: { email: user.email }, after: { email } })
  if (except !== null) await dropSessionUsers(db, except)
  return revokeFamiliesOf(db, user.id, 'email_changed', { except })
}

type WithLink<T> = (db: Transaction, actor: Actor, user: LinkedUser) => Promise<T>

async function withLink<T>(
  database: DatabasePool,
  token: string,
  context: LinkContext,
  work: WithLink<T>,
): Promise<T> {
  const search = searchFor(token)
  const { id, tenant_id } = await requireLinked(database, search, context)
  const tenant = await requireTenant(database, tenant_id)
  return inTransaction(database, async (db) => {
    await lockSchoolUser(db, tenant_id, id)
    const user = await findLinkedUser(db, search)
    if (!user) throw notFound()
    return work(db, actorOf(user, tenant, context), user)
  })
}

function searchFor(token: string): LinkSearch {
  return { kinds: EMAIL_LINKS, secret_hash: hashOf(token) }
}

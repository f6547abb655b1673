import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { Invitation } from '../contract/user.ts'
import { findProvider } from '../db/accounts/identity-providers.ts'
import { type LoginAttempt, recordFailure, recordPresence } from '../db/accounts/login-attempts.ts'
import {
  findLinkedUser,
  type LinkedUser,
  type LinkKind,
  type LinkSearch,
} from '../db/accounts/password-links.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { lockSchoolUser } from '../db/accounts/school-users.ts'
import { setPasswordHash } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { type LoginContext, type LoginRequest, requireAllowed, requireAllowedHere } from './login.ts'
import { hashPassword } from './password.ts'
import { requireUncommon } from './password-rules.ts'
import { type Continuation, openFamily, requireNoSso } from './refresh-token.ts'
import { hashOf } from './secret.ts'

export type LinkContext = LoginContext & Pick<Actor, 'now' | 'set_id'>

/** Returns the content of an invitation's page. Throws as `requireLinked` does. */
export async function findInvitation(
  db: Database,
  token: string,
  context: LoginContext,
): Promise<Invitation> {
  const { email, name, expires_at, tenant_id } = await requireLinked(
    db,
    searchFor('invitation', token),
    context,
  )
  const { name: school } = await requireTenant(db, tenant_id)
  const provider = await findProvider(db, tenant_id)
  return { school, name, email, expires_at, issuer: provider?.issuer ?? null }
}

/** Sets the first password of an invited user and logs in. Throws as `choosePassword` does, and `sso_required`. */
export async function acceptInvitation(
  database: DatabasePool,
  { token, password }: { readonly token: string; readonly password: string },
  { device, secrets, ...context }: LinkContext & Pick<LoginRequest, 'device' | 'secrets'>,
): Promise<Continuation> {
  const key = searchFor('invitation', token)
  await requireNoSso(database, await requireLinked(database, key, context))
  const { user, password_hash } = await choosePassword(database, key, password, context)
  await recordPresence(database, user.id, context.network)
  return openFamily(database, { id: user.id, password_hash }, { device, provedBy: 'password', secrets })
}

/** Sets a new password and ends all the user's sessions. Throws as `choosePassword` does. */
export async function resetPassword(
  database: DatabasePool,
  { token, password }: { readonly token: string; readonly password: string },
  context: LinkContext,
): Promise<Choice> {
  return choosePassword(database, searchFor('reset', token), password, context)
}

/**
 * Counts a request for a reset, whether or not the address is known. Throws `too_many_requests` if the network has sent too
 * many, in total or for the address. Ignores other networks, which could block the user; `mailReset` limits the mails.
 */
export async function countResetRequest(
  db: Database,
  account: string,
  { network, limits }: LoginContext,
): Promise<void> {
  const attempt: LoginAttempt = { kind: 'reset', account, network }
  await requireAllowedHere(db, attempt, limits)
  await recordFailure(db, attempt)
}

type Choice = {
  readonly user: LinkedUser
  readonly password_hash: string
  readonly revoked: readonly string[]
}

/** Sets the password of a link's user, and ends links and sessions. Throws `invalid_request` for a common one; the link stays valid. */
async function choosePassword(
  database: DatabasePool,
  key: LinkSearch,
  password: string,
  context: LinkContext,
): Promise<Choice> {
  const user = await requireLinked(database, key, context)
  const tenant = await requireTenant(database, user.tenant_id)
  await requireUncommon(password, { email: user.email, school: tenant.name })
  const password_hash = await hashPassword(password)
  const { id } = user
  const actor = actorOf(user, tenant, context)
  const revoked = await inTransaction(database, async (db) => {
    await lockSchoolUser(db, tenant.id, id)
    // If two requests use a link concurrently, the second no longer finds it.
    if (!(await findLinkedUser(db, key))) throw notFound()
    await setPasswordHash(db, actor, id, { passwordHash: password_hash })
    return revokeFamiliesOf(db, id, 'password_changed')
  })
  return { user, password_hash, revoked }
}

/** Returns a link's user. Throws the same `not_found` for an unknown, used or expired link and a disabled user; `too_many_requests`. */
export async function requireLinked(
  db: Database,
  key: LinkSearch,
  { network, limits }: LoginContext,
): Promise<LinkedUser> {
  const attempt: LoginAttempt = {
    kind: 'link',
    account: `${key.kinds[0]} ${key.secret_hash.toString('hex', 0, 8)}`,
    network,
  }
  const user = await findLinkedUser(db, key)
  if (user) return user
  // Guesses do not shut a right link: it has 256 bits.
  await requireAllowed(db, attempt, limits)
  await recordFailure(db, attempt)
  throw notFound()
}

export function actorOf(
  { id, name, role, instructor_id }: LinkedUser,
  tenant: Tenant,
  { now, set_id }: Pick<LinkContext, 'now' | 'set_id'>,
): Actor {
  return { kind: 'user', id, name, role, instructor_id, tenant, now, set_id }
}

function searchFor(kind: LinkKind, token: string): LinkSearch {
  return { kinds: [kind], secret_hash: hashOf(token) }
}

import { randomBytes } from 'node:crypto'
import { lockSession } from '../auth/lock-session.ts'
import type { LoginRequest } from '../auth/login.ts'
import { hashPassword } from '../auth/password.ts'
import { actorOf, type LinkContext, requireLinked } from '../auth/password-links.ts'
import { requireProof } from '../auth/proof.ts'
import { type Continuation, openFamily } from '../auth/refresh-token.ts'
import { hashOf } from '../auth/secret.ts'
import type { Session } from '../auth/session.ts'
import type { Actor } from '../contract/actor.ts'
import { notFound, Problem } from '../contract/problem.ts'
import {
  findIdentity,
  findUserOfIdentity,
  linkIdentity,
  type StoredIdentity,
  unlinkIdentity,
} from '../db/accounts/identities.ts'
import { findProvider, mustUseSso } from '../db/accounts/identity-providers.ts'
import { recordPresence } from '../db/accounts/login-attempts.ts'
import { findLinkedUser, type LinkSearch } from '../db/accounts/password-links.ts'
import { lockSchoolUser } from '../db/accounts/school-users.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import { findUsersLogin, recordUser, setPasswordHash } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import type { SsoContext } from './identity-providers.ts'
import { type OpenedProvider, SsoRefusal, type Vouched } from './issuers.ts'
import type { SsoPurpose, SsoRequest, SsoRequests } from './sso-requests.ts'

/** The seconds in which a login at the issuer counts as a proof of identity. */
const PROOF_SECONDS = 5 * 60

export type SsoFlow = SsoContext & {
  readonly requests: SsoRequests
  /** The only redirect URI. */
  readonly callback: string
  readonly now: Date
}

export type SsoStart = { readonly url: string; readonly sealed: string }

/** Returns the provider of a school. Throws `not_found` if it has none. */
export async function requireProvider(
  db: Database,
  tenantId: string,
  { secrets }: Pick<SsoContext, 'secrets'>,
): Promise<OpenedProvider> {
  const stored = await findProvider(db, tenantId)
  const client_secret = stored && secrets.open(tenantId, stored.sealed_secret)
  if (!stored || client_secret === undefined) throw notFound()
  return { ...stored, client_secret }
}

/** Begins a login at the school's issuer. Throws `not_found`, and `sso_failed` if the issuer cannot be read. */
export async function beginLogin(
  db: Database,
  { school, isFresh }: { readonly school: string; readonly isFresh: boolean },
  flow: SsoFlow,
): Promise<SsoStart> {
  return begin(await requireProvider(db, school, flow), { purpose: { kind: 'login' }, isFresh }, flow)
}

/** Begins the acceptance of an invitation. Throws as `requireLinked` does. */
export async function beginInvitation(
  db: Database,
  token: string,
  { context, ...flow }: SsoFlow & { readonly context: LinkContext },
): Promise<SsoStart> {
  const { tenant_id } = await requireLinked(db, searchFor(token), context)
  const provider = await requireProvider(db, tenant_id, flow)
  return begin(provider, { purpose: { kind: 'invitation', token }, isFresh: false }, flow)
}

/** Begins a link between the session's user and a person at the issuer. Throws `proof_required`. */
export async function beginLink(db: Database, session: Session, flow: SsoFlow): Promise<SsoStart> {
  await requireProof(db, session)
  const provider = await requireProvider(db, session.tenant.id, flow)
  return begin(provider, { purpose: { kind: 'link', familyId: session.familyId }, isFresh: true }, flow)
}

async function begin(
  provider: OpenedProvider,
  wanted: { readonly purpose: SsoPurpose; readonly isFresh: boolean },
  { requests, issuers, callback, now }: SsoFlow,
): Promise<SsoStart> {
  const { request, sealed } = requests.make(provider, wanted, now)
  try {
    return { url: await issuers.addressFor(provider, request, callback), sealed }
  } catch {
    throw new Problem('sso_failed', { params: { reason: 'issuer' } })
  }
}

/** The cookie of the browser, and the query with which the issuer has sent it back. */
export type SsoAnswer = { readonly sealed: string; readonly parameters: string }

type Answered = { readonly request: SsoRequest; readonly vouched: Vouched }

/**
 * Logs in the user who is linked to the person, or accepts the invitation that the way began with. Throws `sso_failed` for an
 * answer that this browser has not asked for, `not_linked`, `identity_taken`, and as `openFamily` does.
 */
export async function completeLogin(
  database: DatabasePool,
  answer: SsoAnswer,
  { login, context, ...flow }: SsoFlow & { readonly login: LoginRequest; readonly context: LinkContext },
): Promise<Continuation> {
  const { request, vouched } = await vouchedFor(database, answer, flow)
  const { tenantId, issuer, purpose } = request
  const { subject, sid } = vouched
  const key = { tenant_id: tenantId, issuer, subject }
  if (purpose.kind === 'link') throw refused('purpose')
  if (purpose.kind === 'invitation') await acceptBySso(database, { token: purpose.token, key }, context)
  const userId = await findUserOfIdentity(database, key)
  const user = userId === undefined ? undefined : await findUsersLogin(database, userId)
  if (!user) throw new Problem('not_linked')
  return openFamily(database, user, {
    device: login.device,
    secrets: login.secrets,
    provedBy: isRecent(vouched, flow.now) ? 'sso' : null,
    sso: { issuer, subject, sid },
    spend: (tx) => recordPresence(tx, user.id, login.network),
  })
}

/** Links the session's user to the person. Throws `sso_failed`, `proof_required` and `identity_taken`. */
export async function completeLink(
  database: DatabasePool,
  actor: Actor,
  { session, ...answer }: SsoAnswer & { readonly session: Session },
  flow: SsoFlow,
): Promise<StoredIdentity> {
  const { request, vouched } = await vouchedFor(database, answer, flow)
  const { purpose, tenantId: tenant_id, issuer } = request
  // The way of another session, such as of a browser that somebody else has prepared, links nobody.
  if (purpose.kind !== 'link' || purpose.familyId !== session.familyId) throw refused('purpose')
  return inTransaction(database, async (db) => {
    await lockSchoolUser(db, tenant_id, session.user.id)
    await lockSession(db, actor)
    await requireProof(db, session)
    await link(db, actor, session.user.id, { tenant_id, issuer, subject: vouched.subject })
    const stored = await findIdentity(db, session.user.id)
    if (!stored) throw new Error('it has been stored')
    return stored
  })
}

/** Ends the link of the session's user. Throws `not_found`, `proof_required`, and `required_by_school` if no other login is left. */
export async function unlink(database: DatabasePool, actor: Actor, session: Session): Promise<void> {
  const { user, tenant } = session
  await inTransaction(database, async (db) => {
    await lockSchoolUser(db, tenant.id, user.id)
    await lockSession(db, actor)
    const stored = await findIdentity(db, user.id)
    if (!stored) throw notFound()
    await requireProof(db, session)
    if (await mustUseSso(db, user.id)) throw new Problem('required_by_school')
    await unlinkIdentity(db, user.id)
    await recordUser(db, actor, user.id, { before: { identity: stored.issuer }, after: { identity: null } })
  })
}

/** Opens the browser's request, uses it up, and redeems the code of the answer. */
async function vouchedFor(
  database: DatabasePool,
  { sealed, parameters }: SsoAnswer,
  { requests, issuers, secrets, callback, now }: SsoFlow,
): Promise<Answered> {
  const request = requests.open(sealed, now)
  if (!request) throw refused('no_request')
  // Before the code is sent: a second answer to the same request reaches no issuer.
  if (!(await inTransaction(database, (db) => claimChallenge(db, request.id)))) throw refused('used')
  const provider = await requireProvider(database, request.tenantId, { secrets })
  if (provider.issuer !== request.issuer || provider.client_id !== request.clientId) throw refused('changed')
  try {
    const vouched = await issuers.redeem(provider, request, { callback, parameters })
    if (request.isFresh && !isRecent(vouched, now)) throw refused('not_fresh')
    return { request, vouched }
  } catch (error) {
    throw error instanceof SsoRefusal ? refused(error.message) : error
  }
}

/** Links an invited user to the person, whatever the address there, and ends the invitation. */
async function acceptBySso(
  database: DatabasePool,
  { token, key }: { readonly token: string; readonly key: Parameters<typeof linkIdentity>[2] },
  context: LinkContext,
): Promise<void> {
  const search = searchFor(token)
  const user = await requireLinked(database, search, context)
  if (user.tenant_id !== key.tenant_id) throw refused('purpose')
  const tenant = await requireTenant(database, user.tenant_id)
  const actor = actorOf(user, tenant, context)
  // A password that nobody knows: the user counts as active, and can set another one by a link if the school allows it.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  await inTransaction(database, async (db) => {
    await lockSchoolUser(db, tenant.id, user.id)
    if (!(await findLinkedUser(db, search))) throw notFound()
    await setPasswordHash(db, actor, user.id, { passwordHash })
    await link(db, actor, user.id, key)
  })
}

async function link(
  db: Transaction,
  actor: Actor,
  userId: string,
  key: Parameters<typeof linkIdentity>[2],
): Promise<void> {
  const before = await findIdentity(db, userId)
  if (!(await linkIdentity(db, userId, key))) throw new Problem('identity_taken')
  await recordUser(db, actor, userId, {
    before: { identity: before?.issuer ?? null },
    after: { identity: key.issuer },
  })
}

function isRecent({ authTime }: Vouched, now: Date): boolean {
  return authTime !== undefined && authTime > now.getTime() / 1000 - PROOF_SECONDS
}

function searchFor(token: string): LinkSearch {
  return { kinds: ['invitation'], secret_hash: hashOf(token) }
}

function refused(reason: string): Problem {
  return new Problem('sso_failed', { params: { reason } })
}

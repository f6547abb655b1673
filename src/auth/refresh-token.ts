import { newId } from '../contract/new-id.ts'
import type { Device } from '../contract/own-session.ts'
import { Problem } from '../contract/problem.ts'
import type { ProofKind } from '../contract/proof.ts'
import { mustUseSso } from '../db/accounts/identity-providers.ts'
import { recordPresence } from '../db/accounts/login-attempts.ts'
import {
  claimRefreshToken,
  findFamilyOf,
  findRefreshToken,
  insertFamily,
  insertRefreshToken,
  type LiveSession,
  lockFamily,
  revokeFamily,
  type SsoSession,
  type StoredRefreshToken,
} from '../db/accounts/refresh-tokens.ts'
import { addSessionUsers } from '../db/accounts/session-users.ts'
import { type Login, lockLogin } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import type { Claims } from './access-token.ts'
import type { SwitchSource } from './challenges.ts'
import { leaveSession, lockMarkedUsers } from './leave-session.ts'
import type { RefreshSecrets } from './refresh-secrets.ts'
import { hashOf } from './secret.ts'

/** The seconds in which reuse of a rotated token does not end the session, because two tabs may refresh at once. */
const LEEWAY_SECONDS = 10

/** A session's claims and next token; `ended` is the session that it replaces. */
export type Continuation = {
  readonly claims: Claims
  readonly refreshToken: string
  readonly ended?: string
}

export type RefreshFailure = { readonly reusedBy?: string; readonly revoked: readonly string[] }

/** The device and proof of a verified login, and the credential that it uses up. */
type Opening = {
  readonly device: Device
  /** Null after a switch from another school. */
  readonly provedBy: ProofKind | null
  readonly secrets: RefreshSecrets
  readonly beside?: SwitchSource
  readonly sso?: SsoSession
  /** Runs in the same transaction before any write. If it throws, no session is opened. */
  readonly spend?: (db: Transaction) => Promise<void>
}

/** Opens a session for a verified login. Throws `invalid_credentials` if the password or the user has changed, and `sso_required`. */
export async function openFamily(
  database: DatabasePool,
  login: Pick<Login, 'id' | 'password_hash'>,
  { device, provedBy, secrets, beside = {}, sso, spend }: Opening,
): Promise<Continuation> {
  return inTransaction(database, async (db) => {
    const user = await lockLogin(db, login)
    if (!user) throw new Problem('invalid_credentials')
    // Read after the lock, which excludes a school that begins to require it.
    if (!sso) await requireNoSso(db, user)
    await spend?.(db)
    const { from, others = [] } = beside
    const proved =
      from === undefined ? await lockMarkedUsers(db, others) : await leaveSession(db, from, user.id)
    const familyId = newId()
    await insertFamily(db, { ...device, id: familyId, user_id: user.id, proved_by: provedBy, sso })
    await addSessionUsers(db, familyId, proved)
    const refreshToken = secrets.make(user.tenant_id)
    await store(db, refreshToken, { familyId, parentId: null })
    const claims = { sub: user.id, tid: user.tenant_id, sid: familyId }
    return { claims, refreshToken, ...(from !== undefined && { ended: from }) }
  })
}

/** Throws `sso_required` with the school if the user has to log in at its issuer. */
export async function requireNoSso(
  db: Database,
  { id, tenant_id }: Pick<Login, 'id' | 'tenant_id'>,
): Promise<void> {
  if (await mustUseSso(db, id)) throw new Problem('sso_required', { params: { school: tenant_id } })
}

/**
 * Exchanges a token for its successor; only one of concurrent uses succeeds. Reuse ends the family, except for the parent of
 * the active token within `LEEWAY_SECONDS`. Records the network as familiar.
 */
export async function rotate(
  database: DatabasePool,
  token: string,
  { network, secrets }: { readonly network: string; readonly secrets: RefreshSecrets },
): Promise<Continuation | RefreshFailure> {
  const tokenHash = hashOf(token)
  return inTransaction(database, async (db, commitWith) => {
    const familyId = await findFamilyOf(db, tokenHash)
    if (!familyId) return { revoked: [] }
    const session = await lockFamily(db, familyId)
    const stored = await findRefreshToken(db, tokenHash)
    if (!session || !stored || stored.expired) return { revoked: [] }
    if (stored.revoked) return revokeOnReuse(db, stored)
    if (!(await claimRefreshToken(db, stored.id))) throw new Problem('invalid_refresh_token')
    const refreshToken = secrets.make(session.tenant_id)
    await Promise.all([
      store(db, refreshToken, { familyId, parentId: stored.id }),
      commitWith(recordPresence(db, session.user_id, network)),
    ])
    return { claims: { sub: session.user_id, tid: session.tenant_id, sid: familyId }, refreshToken }
  })
}

/** Ends the family of a token in any state. Returns the ended families and their user. */
export async function endFamilyOf(
  database: DatabasePool,
  token: string,
): Promise<{ readonly revoked: readonly string[]; readonly session?: EndedSession }> {
  const tokenHash = hashOf(token)
  return inTransaction(database, async (db) => {
    const familyId = await findFamilyOf(db, tokenHash)
    if (!familyId) return { revoked: [] }
    const session = await lockFamily(db, familyId)
    const revoked = await revokeFamily(db, familyId, 'logout')
    if (!session) return { revoked }
    const { user_id, tenant_id } = session
    return { revoked, session: { user_id, tenant_id } }
  })
}

type EndedSession = Pick<LiveSession, 'user_id' | 'tenant_id'>

async function revokeOnReuse(db: Transaction, stored: StoredRefreshToken): Promise<RefreshFailure> {
  const { seconds_since_rotation: age } = stored
  if (stored.is_parent_of_active && age !== null && age <= LEEWAY_SECONDS) return { revoked: [] }
  return { reusedBy: stored.user_id, revoked: await revokeFamily(db, stored.family_id, 'reuse') }
}

async function store(
  db: Transaction,
  token: string,
  { familyId, parentId }: { readonly familyId: string; readonly parentId: string | null },
): Promise<void> {
  const token_hash = hashOf(token)
  await insertRefreshToken(db, { id: newId(), family_id: familyId, parent_id: parentId, token_hash })
}

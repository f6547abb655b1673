import { newId } from '../contract/new-id.ts'
import type { Device } from '../contract/own-session.ts'
import { Problem } from '../contract/problem.ts'
import type { ProofKind } from '../contract/proof.ts'
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
  type StoredRefreshToken,
} from '../db/accounts/refresh-tokens.ts'
import { holdLogin, type Login } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Transaction } from '../db/schema/tables.ts'
import type { Claims } from './access-token.ts'
import type { RefreshSecrets } from './refresh-secrets.ts'
import { hashOf } from './secret.ts'

/** Two tabs that refresh at once are no theft: a token may come back so long after its rotation. */
const LEEWAY_SECONDS = 10

/** A session and the one refresh token that continues it. */
export type Continuation = { readonly claims: Claims; readonly refreshToken: string }

/** A refresh that failed: whose used token came back, and the families that this ended. */
export type RefreshFailure = { readonly reusedBy?: string; readonly revoked: readonly string[] }

/** The start of a session: the user's proof, their device, and the credential that it uses up. */
type Opening = {
  readonly device: Device
  readonly provedBy: ProofKind
  readonly secrets: RefreshSecrets
  /** Runs in the same transaction, before anything is written; what it throws keeps the session from being opened. */
  readonly spend?: (db: Transaction) => Promise<void>
}

/** Opens a session for a login that has been checked. Throws `invalid_credentials` if it has meanwhile become invalid. */
export async function openFamily(
  database: DatabasePool,
  login: Pick<Login, 'id' | 'password_hash'>,
  { device, provedBy, secrets, spend }: Opening,
): Promise<Continuation> {
  return inTransaction(database, async (db) => {
    const user = await holdLogin(db, login)
    if (!user) throw new Problem('invalid_credentials')
    await spend?.(db)
    const familyId = newId()
    await insertFamily(db, { ...device, id: familyId, user_id: user.id, proved_by: provedBy })
    const refreshToken = secrets.make(user.tenant_id)
    await store(db, refreshToken, { familyId, parentId: null })
    return { claims: { sub: user.id, tid: user.tenant_id, sid: familyId }, refreshToken }
  })
}

/**
 * Exchanges a token for its successor. The family's lock makes it one claim: of any number of simultaneous uses exactly
 * one wins. A used token that comes back ends the family, except the parent of the active one within its leeway. Where
 * it goes on becomes familiar to the user, so that a session of many months leaves its network known.
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
    if (stored.revoked) return punishReuse(db, stored)
    if (!(await claimRefreshToken(db, stored.id))) throw new Problem('invalid_refresh_token')
    const refreshToken = secrets.make(session.tenant_id)
    await Promise.all([
      store(db, refreshToken, { familyId, parentId: stored.id }),
      commitWith(recordPresence(db, session.user_id, network)),
    ])
    return { claims: { sub: session.user_id, tid: session.tenant_id, sid: familyId }, refreshToken }
  })
}

/** Ends the family of a token, whatever the token's state; returns the families that were alive, and whose session. */
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

async function punishReuse(db: Transaction, stored: StoredRefreshToken): Promise<RefreshFailure> {
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

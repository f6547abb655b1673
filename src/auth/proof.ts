import { Problem } from '../contract/problem.ts'
import type { Proof, ProofKind } from '../contract/proof.ts'
import { type LoginAttempt, recordFailure } from '../db/accounts/login-attempts.ts'
import { findRecentProof, recordProof } from '../db/accounts/own-sessions.ts'
import { findStoredPasskey, listStoredPasskeys, recordPasskeyUse } from '../db/accounts/passkeys.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Ceremony, checkAssertion, requestOptions } from './ceremony.ts'
import { type LoginContext, requireAllowed, requireLogins } from './login.ts'
import type { Session } from './session.ts'
import { totpClaim } from './totp-claim.ts'
import type { TotpSecrets } from './totp-secrets.ts'

/** Returns the options to confirm the user's identity with a passkey. */
export async function proofOptions(
  db: Database,
  { user }: Session,
  ceremony: Ceremony,
): Promise<{ challenge: string }> {
  const known = await listStoredPasskeys(db, user.id)
  return requestOptions(ceremony, { purpose: 'proof', userId: user.id }, known)
}

type ProofContext = LoginContext & { readonly ceremony: Ceremony; readonly totpSecrets: TotpSecrets }

/** Verifies and records a proof of identity. Throws `invalid_credentials`, counted as a failed login, and `unauthenticated`. */
export async function renewProof(
  db: DatabasePool,
  session: Session,
  { password, passkey, totp }: Proof,
  context: ProofContext,
): Promise<void> {
  const { id, email } = session.user
  const attempt: LoginAttempt = { kind: 'login', account: email, network: context.network, user_id: id }
  if (password !== undefined) {
    await requireLogins(db, attempt, password, context.limits)
    return requireNoted(db, session, 'password')
  }
  await requireAllowed(db, attempt, context.limits)
  if (passkey && (await proveByPasskey(db, session, passkey, context.ceremony))) return
  if (totp !== undefined && (await proveByTotp(db, session, totp, context))) return
  await recordFailure(db, attempt)
  throw new Problem('invalid_credentials')
}

async function proveByPasskey(
  database: DatabasePool,
  session: Session,
  response: NonNullable<Proof['passkey']>,
  ceremony: Ceremony,
): Promise<boolean> {
  const stored = await findStoredPasskey(database, response.id)
  if (stored?.user_id !== session.user.id) return false
  const answered = await checkAssertion(ceremony, 'proof', response, stored)
  if (!answered) return false
  return inTransaction(database, async (db) => {
    if (!(await claimChallenge(db, answered.challenge.id))) return false
    if (!(await recordPasskeyUse(db, stored.id, answered.facts))) return false
    await requireNoted(db, session, 'passkey')
    return true
  })
}

async function proveByTotp(
  database: DatabasePool,
  session: Session,
  code: string,
  { totpSecrets: secrets, ceremony: { now } }: ProofContext,
): Promise<boolean> {
  const claim = await totpClaim(database, session.user.id, code, { secrets, now })
  if (!claim) return false
  return inTransaction(database, async (db) => {
    if (!(await claim(db))) return false
    await requireNoted(db, session, 'totp')
    return true
  })
}

async function requireNoted(db: Database, { familyId }: Session, kind: ProofKind): Promise<void> {
  if (!(await recordProof(db, familyId, kind))) throw new Problem('unauthenticated')
}

/** Throws `proof_required` unless the session has a proof of one of these kinds from the last five minutes. */
export async function requireProof(
  db: Database,
  { familyId }: Session,
  ways: readonly ProofKind[] = ['password', 'passkey', 'totp', 'sso'],
): Promise<void> {
  const proof = await findRecentProof(db, familyId)
  if (!proof || !ways.includes(proof)) throw new Problem('proof_required', { params: { ways } })
}

import type { Actor } from '../contract/actor.ts'
import type { SecondFactor } from '../contract/passkey.ts'
import { Problem } from '../contract/problem.ts'
import { deletePasskeys, listStoredPasskeys } from '../db/accounts/passkeys.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import {
  findSecondFactor,
  lockSecondFactor,
  replaceRecoveryCodes,
  setSecondFactor,
} from '../db/accounts/second-factors.ts'
import { deleteTotpSecret } from '../db/accounts/totp-secrets.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import { lockSession } from './lock-session.ts'
import { requireProof } from './proof.ts'
import { newRecoveryCode, RECOVERY_CODES } from './recovery-code.ts'
import { hashOf } from './secret.ts'
import type { Session } from './session.ts'

/**
 * Sets whether login needs a second factor. Throws `proof_required`, `no_passkey` if the user has neither a passkey nor an
 * authenticator app, and `required_by_school`.
 */
export async function switchSecondFactor(
  database: DatabasePool,
  actor: Actor,
  session: Session,
  enabled: boolean,
): Promise<SecondFactor> {
  const { user } = session
  return inTransaction(database, async (db) => {
    const before = await lockSecondFactor(db, user.id)
    await lockSession(db, actor)
    // A stolen device must not disable the second factor with its own passkey.
    await requireProof(db, session, enabled ? undefined : ['password'])
    if (before.enabled === enabled) return before
    if (enabled) await requireWay(db, before, user.id)
    else await requireUndemanded(db, session)
    await setSecondFactor(db, user.id, enabled)
    const sides = { before: { second_factor: !enabled }, after: { second_factor: enabled } }
    await recordUser(db, actor, user.id, sides)
    return { ...before, enabled }
  })
}

async function requireWay(db: Database, { totp_since }: SecondFactor, userId: string): Promise<void> {
  if (totp_since !== null || (await listStoredPasskeys(db, userId)).length > 0) return
  throw new Problem('no_passkey')
}

/** Throws `required_by_school` unless the session's user may do without a second factor. */
export async function requireUndemanded(db: Database, { user }: Session): Promise<void> {
  const { is_required } = await findSecondFactor(db, user.id)
  if (is_required) throw new Problem('required_by_school')
}

/** Replaces the user's recovery codes with ten new ones, which are returned only once. Throws `proof_required`. */
export async function makeRecoveryCodes(
  database: DatabasePool,
  actor: Actor,
  session: Session,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await inTransaction(database, async (db) => {
    const { recovery_codes_left } = await lockSecondFactor(db, session.user.id)
    await lockSession(db, actor)
    await requireProof(db, session)
    await replaceRecoveryCodes(db, session.user.id, codes.map(hashOf))
    await recordUser(db, actor, session.user.id, {
      before: { recovery_codes_left },
      after: { recovery_codes_left: codes.length },
    })
  })
  return codes
}

/** Removes a user's second factor, passkeys, authenticator app and recovery codes, and ends their sessions. Returns the ended families. */
export async function resetSecondFactor(
  database: DatabasePool,
  actor: Actor,
  userId: string,
): Promise<readonly string[]> {
  return inTransaction(database, async (db) => {
    const { enabled } = await lockSecondFactor(db, userId)
    await deletePasskeys(db, userId)
    await deleteTotpSecret(db, userId)
    await replaceRecoveryCodes(db, userId, [])
    await setSecondFactor(db, userId, false)
    await recordUser(db, actor, userId, {
      before: { second_factor: enabled },
      after: { second_factor: false },
    })
    return revokeFamiliesOf(db, userId, 'second_factor_reset')
  })
}

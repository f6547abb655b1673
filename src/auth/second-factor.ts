import type { Actor } from '../contract/actor.ts'
import type { SecondFactor } from '../contract/passkey.ts'
import { Problem } from '../contract/problem.ts'
import { deletePasskeys, listStoredPasskeys } from '../db/accounts/passkeys.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { lockSecondFactor, replaceRecoveryCodes, setSecondFactor } from '../db/accounts/second-factors.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { holdSession } from './hold-session.ts'
import { requireProof } from './proof.ts'
import { newRecoveryCode, RECOVERY_CODES } from './recovery-code.ts'
import { hashOf } from './secret.ts'
import type { Session } from './session.ts'

/**
 * Lets the user's password be enough, or not. Throws `proof_required`, and `no_passkey` where there is none to ask for beside
 * the password.
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
    await holdSession(db, actor)
    // A passkey alone must not take away what stands beside the password, itself included.
    await requireProof(db, session, enabled ? undefined : ['password'])
    if (before.enabled === enabled) return before
    if (enabled && (await listStoredPasskeys(db, user.id)).length === 0) throw new Problem('no_passkey')
    await setSecondFactor(db, user.id, enabled)
    const sides = { before: { second_factor: !enabled }, after: { second_factor: enabled } }
    await recordUser(db, actor, user.id, sides)
    return { ...before, enabled }
  })
}

/** Makes ten recovery codes in place of all that the user had; returns them, this once. Throws `proof_required`. */
export async function makeRecoveryCodes(
  database: DatabasePool,
  actor: Actor,
  session: Session,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await inTransaction(database, async (db) => {
    const { recovery_codes_left } = await lockSecondFactor(db, session.user.id)
    await holdSession(db, actor)
    await requireProof(db, session)
    await replaceRecoveryCodes(db, session.user.id, codes.map(hashOf))
    await recordUser(db, actor, session.user.id, {
      before: { recovery_codes_left },
      after: { recovery_codes_left: codes.length },
    })
  })
  return codes
}

/**
 * Takes the second factor, the passkeys and the recovery codes of a user away, for who has lost the devices, and ends the
 * user's sessions; returns the families that were alive.
 */
export async function resetSecondFactor(
  database: DatabasePool,
  actor: Actor,
  userId: string,
): Promise<readonly string[]> {
  return inTransaction(database, async (db) => {
    const { enabled } = await lockSecondFactor(db, userId)
    await deletePasskeys(db, userId)
    await replaceRecoveryCodes(db, userId, [])
    await setSecondFactor(db, userId, false)
    await recordUser(db, actor, userId, {
      before: { second_factor: enabled },
      after: { second_factor: false },
    })
    return revokeFamiliesOf(db, userId, 'second_factor_reset')
  })
}

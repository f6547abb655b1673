import type { Actor } from '../contract/actor.ts'
import type { SecondFactor } from '../contract/passkey.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import type { NewTotp, TotpOffer } from '../contract/totp.ts'
import { listStoredPasskeys } from '../db/accounts/passkeys.ts'
import { findSecondFactor, lockSecondFactor, setSecondFactor } from '../db/accounts/second-factors.ts'
import { deleteTotpSecret, replaceTotpSecret } from '../db/accounts/totp-secrets.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { lockSession } from './lock-session.ts'
import { requireProof } from './proof.ts'
import { requireUndemanded } from './second-factor.ts'
import type { Session } from './session.ts'
import { stepOfCode, totpUri } from './totp.ts'
import type { TotpContext } from './totp-claim.ts'

/** Returns a new secret, which is stored once a code confirms it. Throws `proof_required`. */
export async function offerTotp(
  db: DatabasePool,
  session: Session,
  { secrets, now }: TotpContext,
): Promise<TotpOffer> {
  await requireProof(db, session)
  const { user, tenant } = session
  const { secret, challenge } = secrets.offer(user.id, now)
  return { secret, uri: totpUri(secret, { email: user.email, school: tenant.name }), challenge }
}

/**
 * Stores the offered secret in place of an old one and switches the second factor on. Throws `proof_required`, and
 * `invalid_request` for a wrong code and a late, used or foreign challenge.
 */
export async function addTotp(
  database: DatabasePool,
  actor: Actor,
  { session, challenge, code }: NewTotp & { readonly session: Session },
  { secrets, now }: TotpContext,
): Promise<SecondFactor> {
  const { user } = session
  return inTransaction(database, async (db) => {
    const before = await lockSecondFactor(db, user.id)
    await lockSession(db, actor)
    await requireProof(db, session)
    const offer = secrets.offered(user.id, challenge, now)
    if (!offer) throw notAccepted('/challenge', 'invalid_challenge')
    const step = stepOfCode(offer.secret, code, now)
    if (step === undefined) throw notAccepted('/code', 'invalid_code')
    if (!(await claimChallenge(db, offer.id))) throw notAccepted('/challenge', 'invalid_challenge')
    await replaceTotpSecret(db, user.id, {
      sealed_secret: secrets.seal(user.id, offer.secret),
      last_step: step,
    })
    if (!before.enabled) await setSecondFactor(db, user.id, true)
    await recordUser(db, actor, user.id, {
      before: { totp: before.totp_since !== null, ...(before.enabled ? {} : { second_factor: false }) },
      after: { totp: true, ...(before.enabled ? {} : { second_factor: true }) },
    })
    return findSecondFactor(db, user.id)
  })
}

/**
 * Removes the secret; without a passkey this needs the password and ends the second factor. Throws `not_found`,
 * `proof_required`, and `required_by_school`.
 */
export async function removeTotp(database: DatabasePool, actor: Actor, session: Session): Promise<void> {
  const { user } = session
  await inTransaction(database, async (db) => {
    const { enabled, totp_since } = await lockSecondFactor(db, user.id)
    if (totp_since === null) throw notFound()
    await lockSession(db, actor)
    const endsSecondFactor = enabled && (await listStoredPasskeys(db, user.id)).length === 0
    await requireProof(db, session, endsSecondFactor ? ['password'] : undefined)
    if (endsSecondFactor) await requireUndemanded(db, session)
    await deleteTotpSecret(db, user.id)
    await recordUser(db, actor, user.id, {
      before: { totp: true, ...(endsSecondFactor ? { second_factor: true } : {}) },
      after: { totp: false, ...(endsSecondFactor ? { second_factor: false } : {}) },
    })
    if (endsSecondFactor) await setSecondFactor(db, user.id, false)
  })
}

const REASONS = {
  invalid_challenge: 'challenge must be one of POST /auth/totp/options of the last 15 minutes, not used yet.',
  invalid_code: 'code is not the one that the app shows; check the clocks of the device and the service.',
} as const

function notAccepted(pointer: string, code: keyof typeof REASONS) {
  return invalidRequest([{ pointer, code, detail: REASONS[code] }])
}

import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { NewPasskey, Passkey } from '../contract/passkey.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import {
  deletePasskey,
  insertPasskey,
  listStoredPasskeys,
  lockPasskey,
  setPasskeyName,
} from '../db/accounts/passkeys.ts'
import { lockSecondFactor, setSecondFactor } from '../db/accounts/second-factors.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import { recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { type Ceremony, checkRegistration, registrationOptions } from './ceremony.ts'
import { lockSession } from './lock-session.ts'
import { requireProof } from './proof.ts'
import { requireUndemanded } from './second-factor.ts'
import type { Session } from './session.ts'

const MAX_PASSKEYS = 20

/** Returns the options to create a passkey. Throws `proof_required`. */
export async function offerPasskey(
  db: DatabasePool,
  session: Session,
  ceremony: Ceremony,
): Promise<{ challenge: string }> {
  await requireProof(db, session)
  return registrationOptions(ceremony, session.user, await listStoredPasskeys(db, session.user.id))
}

/** Adds a passkey. Throws `proof_required`, and `invalid_request` for a wrong, late or used response, a known passkey, or too many. */
export async function addPasskey(
  database: DatabasePool,
  actor: Actor,
  { session, name, credential }: NewPasskey & { readonly session: Session },
  ceremony: Ceremony,
): Promise<Passkey> {
  const { user } = session
  const answered = await checkRegistration(ceremony, user.id, credential)
  return inTransaction(database, async (db) => {
    await lockSecondFactor(db, user.id)
    await lockSession(db, actor)
    await requireProof(db, session)
    if (!answered || !(await claimChallenge(db, answered.challenge.id))) throw notAccepted('invalid_passkey')
    const known = await listStoredPasskeys(db, user.id)
    if (known.length >= MAX_PASSKEYS) throw notAccepted('too_many')
    const passkey = await insertPasskey(db, user.id, { ...answered.facts, id: newId(), name })
    if (!passkey) throw notAccepted('known_passkey')
    await recordUser(db, actor, user.id, { before: { passkey: null }, after: { passkey: name } })
    return passkey
  })
}

/** Renames a passkey. Throws `not_found` if it is not the user's. */
export async function renamePasskey(
  database: DatabasePool,
  actor: Actor,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
  { user }: Session,
): Promise<Passkey> {
  return inTransaction(database, async (db) => {
    const passkey = await lockPasskey(db, user.id, id)
    if (!passkey) throw notFound()
    await lockSession(db, actor)
    if (passkey.name === name) return passkey
    await setPasskeyName(db, user.id, { id, name })
    await recordUser(db, actor, user.id, { before: { passkey: passkey.name }, after: { passkey: name } })
    return { ...passkey, name }
  })
}

/**
 * Removes a passkey. If no authenticator app is left, the last one needs the password and ends the second factor. Throws
 * `not_found`, `proof_required` and `required_by_school`.
 */
export async function removePasskey(
  database: DatabasePool,
  actor: Actor,
  session: Session,
  id: string,
): Promise<void> {
  const { user } = session
  await inTransaction(database, async (db) => {
    const { enabled, totp_since } = await lockSecondFactor(db, user.id)
    const passkey = await lockPasskey(db, user.id, id)
    if (!passkey) throw notFound()
    await lockSession(db, actor)
    const isLastWay = totp_since === null && (await listStoredPasskeys(db, user.id)).length === 1
    const endsSecondFactor = enabled && isLastWay
    await requireProof(db, session, endsSecondFactor ? ['password'] : undefined)
    if (endsSecondFactor) await requireUndemanded(db, session)
    await deletePasskey(db, user.id, id)
    await recordUser(db, actor, user.id, {
      before: { passkey: passkey.name, ...(endsSecondFactor ? { second_factor: true } : {}) },
      after: { passkey: null, ...(endsSecondFactor ? { second_factor: false } : {}) },
    })
    if (endsSecondFactor) await setSecondFactor(db, user.id, false)
  })
}

const REASONS = {
  invalid_passkey:
    'credential does not answer a challenge of the last five minutes, from this service and page.',
  known_passkey: 'credential is known already.',
  too_many: `A user has at most ${MAX_PASSKEYS} passkeys.`,
} as const

function notAccepted(code: keyof typeof REASONS) {
  return invalidRequest([{ pointer: '/credential', code, detail: REASONS[code] }])
}

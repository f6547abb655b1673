import type { Actor } from '../contract/actor.ts'
import type { Credentials, PasswordChange } from '../contract/auth.ts'
import type { Device } from '../contract/own-session.ts'
import { Problem } from '../contract/problem.ts'
import {
  type Attempt,
  type LoginLimits,
  recordFailure,
  recordPresence,
  waitFor,
} from '../db/accounts/login-attempts.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { findLogin, type Login, setPasswordHash } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Ceremony } from './ceremony.ts'
import { holdSession } from './hold-session.ts'
import { hashPassword, inTurn, isPassword } from './password.ts'
import { requireUncommon } from './password-rules.ts'
import type { RefreshSecrets } from './refresh-secrets.ts'
import { type Continuation, openFamily } from './refresh-token.ts'
import { secondFactorRequired } from './second-factor-step.ts'
import type { Session } from './session.ts'

export type LoginContext = { readonly network: string; readonly limits: LoginLimits }

export type LoginRequest = LoginContext & {
  readonly device: Device
  readonly ceremony: Ceremony
  readonly secrets: RefreshSecrets
}

/**
 * Logs in with e-mail address and password. Throws the same `invalid_credentials` for an unknown address, a wrong password and
 * a disabled user; `too_many_requests` with `Retry-After`; and `second_factor_required` with the next challenge.
 */
export async function logIn(
  db: DatabasePool,
  { email, password }: Credentials,
  request: LoginRequest,
): Promise<Continuation> {
  const { network, limits, device, secrets } = request
  const account = accountFor(email)
  const login = await requireLogin(db, { kind: 'login', account, network }, password, limits)
  if (login.second_factor) throw await secondFactorRequired(db, login, request.ceremony)
  await recordPresence(db, login.id, network)
  return openFamily(db, login, { device, provedBy: 'password', secrets })
}

/**
 * Changes the user's own password and ends their other sessions; returns the ended families. Throws `invalid_credentials` for a
 * wrong current password, which counts as a failed login, and `invalid_request` for a common new one.
 */
export async function changePassword(
  database: DatabasePool,
  actor: Actor,
  { session, current_password, new_password }: PasswordChange & { readonly session: Session },
  { network, limits }: LoginContext,
): Promise<readonly string[]> {
  const { user, familyId } = session
  await requireUncommon(new_password, { email: user.email, school: actor.tenant.name }, 'new_password')
  const attempt: Attempt = { kind: 'login', account: user.email, network }
  const login = await requireLogin(database, attempt, current_password, limits)
  const hashes = { passwordHash: await hashPassword(new_password), replacing: login.password_hash }
  return inTransaction(database, async (db) => {
    if (!(await setPasswordHash(db, actor, user.id, hashes))) throw new Problem('invalid_credentials')
    await holdSession(db, actor)
    return revokeFamiliesOf(db, user.id, 'password_changed', { except: familyId })
  })
}

/** Normalizes an e-mail address for storage and counting. */
export function accountFor(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * Returns the login of an account if the password is right. Throws `invalid_credentials` and `too_many_requests`. Limits are
 * read and failures counted in the hash's turn, which bounds simultaneous attempts. Once strangers have used up an account's
 * limit, its user can log in from a familiar network; others get the same 429 after the same work.
 */
export async function requireLogin(
  db: Database,
  attempt: Attempt,
  password: string,
  limits: LoginLimits,
): Promise<Login> {
  return inTurn(async () => {
    const { seconds, strangerSeconds, isFamiliar } = await waitFor(db, attempt, limits)
    if (seconds > 0) throw tooManyAttempts(seconds)
    const login = await findLogin(db, attempt.account)
    const fits = await isPassword(password, login?.password_hash ?? undefined)
    const isOpen = isFamiliar || strangerSeconds === 0
    if (login && fits && isOpen && login.disabled_at === null) return login
    await recordFailure(db, attempt)
    throw strangerSeconds > 0 ? tooManyAttempts(strangerSeconds) : new Problem('invalid_credentials')
  })
}

/** Throws `too_many_requests` with `Retry-After` after too many failures. */
export async function requireAllowed(db: Database, attempt: Attempt, limits: LoginLimits): Promise<void> {
  const { seconds, strangerSeconds, isFamiliar } = await waitFor(db, attempt, limits)
  const wait = isFamiliar ? seconds : strangerSeconds
  if (wait > 0) throw tooManyAttempts(wait)
}

/** The same by network alone. */
export async function requireAllowedHere(db: Database, attempt: Attempt, limits: LoginLimits): Promise<void> {
  const { seconds } = await waitFor(db, attempt, limits)
  if (seconds > 0) throw tooManyAttempts(seconds)
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    params: { retry_after_seconds: seconds },
    retryAfterSeconds: seconds,
  })
}

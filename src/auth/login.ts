import type { Actor } from '../contract/actor.ts'
import type { Credentials, PasswordChange } from '../contract/auth.ts'
import type { Device } from '../contract/own-session.ts'
import { Problem } from '../contract/problem.ts'
import { mustUseSso } from '../db/accounts/identity-providers.ts'
import {
  type LoginAttempt,
  type LoginLimits,
  recordFailure,
  recordPresence,
  waitFor,
} from '../db/accounts/login-attempts.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { type Login, listLogins, replacePasswordHash, setPasswordHash } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Ceremony } from './ceremony.ts'
import { lockSession } from './lock-session.ts'
import { hashPassword, inTurn, isPassword, renewedHash } from './password.ts'
import { requireUncommon } from './password-rules.ts'
import type { RefreshSecrets } from './refresh-secrets.ts'
import { type Continuation, openFamily } from './refresh-token.ts'
import { markedLogin, secondFactorRequired } from './second-factor-step.ts'
import type { Session } from './session.ts'
import type { TotpSecrets } from './totp-secrets.ts'

export type LoginContext = { readonly network: string; readonly limits: LoginLimits }

export type LoginRequest = LoginContext & {
  readonly device: Device
  readonly ceremony: Ceremony
  readonly secrets: RefreshSecrets
  readonly totpSecrets: TotpSecrets
}

/**
 * Logs in with e-mail address and password. If they match users of several schools, logs in the oldest with no second factor,
 * or else the oldest; the session may switch to the others (`own-schools.ts`). Throws the same `invalid_credentials` for an unknown
 * address, a wrong password and a disabled user, `too_many_requests`, `sso_required`, and `second_factor_required`.
 */
export async function logIn(
  db: DatabasePool,
  { email, password }: Credentials,
  request: LoginRequest,
): Promise<Continuation> {
  const { network, limits, device, secrets } = request
  const account = accountFor(email)
  const attempt: LoginAttempt = { kind: 'login', account, network }
  const [first, ...others] = await withoutSso(db, await requireLogins(db, attempt, password, limits))
  const login = await withRenewedHash(db, first, password)
  const rest: Login[] = []
  for (const one of others) rest.push(await withRenewedHash(db, one, password))
  const beside = { others: rest.map(markedLogin) }
  if (login.second_factor) throw await secondFactorRequired(db, login, request.ceremony, beside)
  await recordPresence(db, login.id, network)
  return openFamily(db, login, { device, provedBy: 'password', secrets, beside })
}

/**
 * Changes the user's own password, ends their other sessions and returns the ended families. Throws `invalid_credentials` for a
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
  const attempt: LoginAttempt = { kind: 'login', account: user.email, network, user_id: user.id }
  const [login] = await requireLogins(database, attempt, current_password, limits)
  const hashes = { passwordHash: await hashPassword(new_password), replacing: login.password_hash }
  return inTransaction(database, async (db) => {
    if (!(await setPasswordHash(db, actor, user.id, hashes))) throw new Problem('invalid_credentials')
    await lockSession(db, actor)
    return revokeFamiliesOf(db, user.id, 'password_changed', { except: familyId })
  })
}

/** Normalizes an e-mail address for storage and counting. */
export function accountFor(email: string): string {
  return email.trim().toLowerCase()
}

/** Replaces a hash of the password as typed, so that the user can type it on other keyboards, too. */
async function withRenewedHash(db: Database, login: Login, password: string): Promise<Login> {
  const { id, password_hash: replacing } = login
  const passwordHash = await renewedHash(password, replacing ?? '')
  if (passwordHash === undefined) return login
  await replacePasswordHash(db, id, { passwordHash, replacing })
  return { ...login, password_hash: passwordHash }
}

type Logins = readonly [Login, ...Login[]]

/** Leaves out the users who have to log in at the issuer of their school. Throws `sso_required` if nobody is left. */
async function withoutSso(db: Database, logins: Logins): Promise<Logins> {
  const left: Login[] = []
  for (const login of logins) if (!(await mustUseSso(db, login.id))) left.push(login)
  const [first, ...others] = left
  if (!first) throw new Problem('sso_required', { params: { school: logins[0].tenant_id } })
  return [first, ...others]
}

/**
 * Returns the logins of an account whose password matches, those without a second factor first. Throws `invalid_credentials`
 * and `too_many_requests`. Reads limits and counts failures in the hashing slot, which bounds concurrent attempts. Once
 * others have used up an account's limit, its user can still log in from a familiar network; unfamiliar ones get the same 429
 * after the same work.
 */
export async function requireLogins(
  db: Database,
  attempt: LoginAttempt,
  password: string,
  limits: LoginLimits,
): Promise<Logins> {
  return inTurn(async () => {
    const { seconds, strangerSeconds, familiarTo } = await waitFor(db, attempt, limits)
    if (seconds > 0) throw tooManyAttempts(seconds)
    const { user_id } = attempt
    const all = await listLogins(db, attempt.account, { withPassword: true })
    const compared = user_id === undefined ? all : all.filter(({ id }) => id === user_id)
    const fitting = await matchingLogins(password, compared)
    const isOpen = ({ id }: Login) => strangerSeconds === 0 || familiarTo.includes(id)
    const open = fitting.filter((login) => login.disabled_at === null && isOpen(login))
    if (open.length === 0) {
      await recordFailure(db, attempt)
      throw strangerSeconds > 0 ? tooManyAttempts(strangerSeconds) : new Problem('invalid_credentials')
    }
    const missed = compared.filter((login) => !fitting.includes(login))
    const opened = await excludeGuessedLogins(db, { open, missed, familiarTo }, attempt, limits)
    const [login, ...others] = opened.toSorted(
      (one, other) => Number(one.second_factor) - Number(other.second_factor),
    )
    if (!login) throw new Error('nobody is left')
    return [login, ...others]
  })
}

/** Returns the matching logins. Compares all of them, or a dummy, so that the time does not depend on the match. */
async function matchingLogins(password: string, logins: readonly Login[]): Promise<readonly Login[]> {
  if (logins.length === 0) await isPassword(password, undefined)
  const fitting: Login[] = []
  for (const login of logins)
    if (await isPassword(password, login.password_hash ?? undefined)) fitting.push(login)
  return fitting
}

type Compared = {
  readonly open: readonly Login[]
  readonly missed: readonly Login[]
  readonly familiarTo: readonly string[]
}

/**
 * Leaves out users whose password may be guessed from another school: its owner could create a user with the same address and
 * log in with each guess as that user's password, without any failure. Failures are therefore counted for each user that does
 * not match. After too many, a user is left out if others match, too. Throws `too_many_requests` if nobody is left.
 */
async function excludeGuessedLogins(
  db: Database,
  { open, missed, familiarTo }: Compared,
  { network }: LoginAttempt,
  limits: LoginLimits,
): Promise<readonly Login[]> {
  const guessAt = ({ id }: Login): LoginAttempt => ({ kind: 'other_school', account: id, network })
  for (const login of missed) await recordFailure(db, guessAt(login))
  if (open.length === 1) return open
  const waits = await Promise.all(
    open.map(async (login) => {
      const { seconds, strangerSeconds } = await waitFor(db, guessAt(login), limits)
      return familiarTo.includes(login.id) ? seconds : strangerSeconds
    }),
  )
  const left = open.filter((_, index) => waits[index] === 0)
  if (left.length === 0) throw tooManyAttempts(Math.min(...waits))
  return left
}

/** Throws `too_many_requests` with `Retry-After` after too many failures. */
export async function requireAllowed(
  db: Database,
  attempt: LoginAttempt,
  limits: LoginLimits,
): Promise<void> {
  const { seconds, strangerSeconds, familiarTo } = await waitFor(db, attempt, limits)
  const { user_id } = attempt
  const wait = user_id !== undefined && familiarTo.includes(user_id) ? seconds : strangerSeconds
  if (wait > 0) throw tooManyAttempts(wait)
}

/** Throws the same, but ignores failures from other networks. */
export async function requireAllowedHere(
  db: Database,
  attempt: LoginAttempt,
  limits: LoginLimits,
): Promise<void> {
  const { seconds } = await waitFor(db, attempt, limits)
  if (seconds > 0) throw tooManyAttempts(seconds)
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem('too_many_requests', {
    params: { retry_after_seconds: seconds },
    retryAfterSeconds: seconds,
  })
}

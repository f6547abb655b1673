import type { Actor } from '../contract/actor.ts'
import type { PasskeyAssertion } from '../contract/passkey.ts'
import { Problem } from '../contract/problem.ts'
import type { ProofKind, SecondFactorProof } from '../contract/proof.ts'
import { type LoginAttempt, recordFailure, recordPresence } from '../db/accounts/login-attempts.ts'
import { findStoredPasskey, recordPasskeyUse, type StoredPasskey } from '../db/accounts/passkeys.ts'
import { claimRecoveryCode, findSecondFactor } from '../db/accounts/second-factors.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import { findUser, findUsersLogin, type Login, recordUser } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import {
  type Ceremony,
  challengeIn,
  checkAssertion,
  type PasskeyUse,
  requestOptions,
  type VerifiedResponse,
} from './ceremony.ts'
import type { Challenge, SwitchSource } from './challenges.ts'
import { type LoginRequest, requireAllowed } from './login.ts'
import { recoveryCodeIn } from './recovery-code.ts'
import { type Continuation, openFamily } from './refresh-token.ts'
import { passwordMark } from './second-factor-step.ts'
import { hashOf } from './secret.ts'
import { totpClaim } from './totp-claim.ts'

export function passkeyLoginOptions(ceremony: Ceremony): Promise<{ challenge: string }> {
  return requestOptions(ceremony, { purpose: 'login' })
}

/**
 * Logs in with only a passkey, which must report user verification. Throws the same `invalid_credentials` for an
 * unknown or wrong passkey and a disabled user, and `too_many_requests` with `Retry-After`.
 */
export async function logInWithPasskey(
  db: DatabasePool,
  response: PasskeyAssertion,
  request: LoginRequest,
): Promise<Continuation> {
  const stored = await findStoredPasskey(db, response.id)
  const login = stored && (await findUsersLogin(db, stored.user_id))
  // Limits an unknown passkey like an account, so that repeated attempts do not reveal whether it exists.
  const tried: Account = login
    ? { kind: 'login', account: login.email, user_id: login.id }
    : { kind: 'passkey', account: hashOf(response.id).toString('base64url') }
  return attempt(db, tried, request, async () => {
    const answered = stored && (await checkAssertion(request.ceremony, 'login', response, stored))
    if (!login || login.disabled_at !== null || !answered) throw new Problem('invalid_credentials')
    return enter(db, { login, request, provedBy: 'passkey' }, (tx) => spendPasskey(tx, stored, answered))
  })
}

/**
 * Completes a login after the right password, with a passkey, a code of an app or a recovery code. Throws `login_expired` if the challenge has
 * expired (or, for a code of either kind, been used), the password changed or the user been disabled; otherwise as `logInWithPasskey` does.
 */
export async function logInWithSecondFactor(
  db: DatabasePool,
  { passkey, totp, recovery_code }: SecondFactorProof,
  request: LoginRequest & Pick<Actor, 'set_id'>,
): Promise<Continuation> {
  const text = passkey ? challengeIn(passkey) : ((totp ?? recovery_code)?.challenge ?? '')
  const { challenges, now } = request.ceremony
  const challenge = await challenges.open(text, 'second_factor', now)
  const login = challenge?.userId && (await findUsersLogin(db, challenge.userId))
  if (!login || login.disabled_at !== null || challenge.password !== passwordMark(login)) {
    throw new Problem('login_expired')
  }
  return attempt(db, { kind: 'login', account: login.email, user_id: login.id }, request, async () => {
    const use = { login, challenge, request }
    const spend = passkey
      ? await spendingPasskey(db, login, passkey, request)
      : totp
        ? await spendingTotp(db, use, totp.code)
        : await spendingCode(db, use, recovery_code?.code ?? '')
    // A switch from another school has begun without a password.
    const provedBy = challenge.from === undefined ? 'password' : null
    return enter(db, { login, request, provedBy, beside: challenge }, spend)
  })
}

type Spend = (db: Transaction) => Promise<void>

async function spendingPasskey(
  db: Database,
  login: Login,
  response: PasskeyAssertion,
  { ceremony }: LoginRequest,
): Promise<Spend> {
  const stored = await findStoredPasskey(db, response.id)
  if (stored?.user_id !== login.id) throw new Problem('invalid_credentials')
  const answered = await checkAssertion(ceremony, 'second_factor', response, stored)
  if (!answered) throw new Problem('invalid_credentials')
  return (tx) => spendPasskey(tx, stored, answered)
}

async function spendPasskey(
  db: Transaction,
  { id }: StoredPasskey,
  { challenge, facts }: VerifiedResponse<PasskeyUse>,
): Promise<void> {
  const isFirst = await claimChallenge(db, challenge.id)
  if (!isFirst || !(await recordPasskeyUse(db, id, facts))) throw new Problem('invalid_credentials')
}

type CodeUse = {
  readonly login: Login
  readonly challenge: Challenge
  readonly request: LoginRequest & Pick<Actor, 'set_id'>
}

async function spendingTotp(
  db: Database,
  { login, challenge, request: { totpSecrets: secrets, ceremony } }: CodeUse,
  typed: string,
): Promise<Spend> {
  const claim = await totpClaim(db, login.id, typed, { secrets, now: ceremony.now })
  if (!claim) throw new Problem('invalid_credentials')
  return async (tx) => {
    if (!(await claimChallenge(tx, challenge.id))) throw new Problem('login_expired')
    if (!(await claim(tx))) throw new Problem('invalid_credentials')
  }
}

async function spendingCode(
  db: Database,
  { login, challenge, request }: CodeUse,
  typed: string,
): Promise<Spend> {
  const [user, tenant] = await Promise.all([findUser(db, login.id), requireTenant(db, login.tenant_id)])
  if (!user) throw new Problem('invalid_credentials')
  const { id, name, role, instructor_id } = user
  const { set_id, ceremony } = request
  const actor: Actor = { kind: 'user', id, name, role, instructor_id, tenant, now: ceremony.now, set_id }
  return async (tx) => {
    if (!(await claimChallenge(tx, challenge.id))) throw new Problem('login_expired')
    const hash = hashOf(recoveryCodeIn(typed))
    if (!(await claimRecoveryCode(tx, id, hash))) throw new Problem('invalid_credentials')
    const { recovery_codes_left: left } = await findSecondFactor(tx, id)
    await recordUser(tx, actor, id, {
      before: { recovery_codes_left: left + 1 },
      after: { recovery_codes_left: left, recovery_code_used: true },
    })
  }
}

type Entering = {
  readonly login: Login
  readonly request: LoginRequest
  readonly provedBy: ProofKind | null
  readonly beside?: SwitchSource
}

async function enter(
  db: DatabasePool,
  { login, request: { device, network, secrets }, provedBy, beside = {} }: Entering,
  spend: Spend,
): Promise<Continuation> {
  return openFamily(db, login, {
    device,
    provedBy,
    secrets,
    beside,
    spend: async (tx) => {
      await spend(tx)
      await recordPresence(tx, login.id, network)
    },
  })
}

type Account = Omit<LoginAttempt, 'network'>

async function attempt(
  db: DatabasePool,
  account: Account,
  { network, limits }: LoginRequest,
  work: () => Promise<Continuation>,
): Promise<Continuation> {
  const tried = { ...account, network }
  await requireAllowed(db, tried, limits)
  try {
    return await work()
  } catch (error) {
    const isWrong = error instanceof Problem && error.code === 'invalid_credentials'
    if (isWrong) await recordFailure(db, tried)
    throw error
  }
}

import { accountFor, type LoginContext, requireAllowedHere } from '../../auth/login.ts'
import { hashPassword } from '../../auth/password.ts'
import { requireUncommon } from '../../auth/password-rules.ts'
import type { RefreshSecrets } from '../../auth/refresh-secrets.ts'
import { type Continuation, openFamily } from '../../auth/refresh-token.ts'
import { isSetupToken } from '../../auth/setup-token.ts'
import { newId } from '../../contract/new-id.ts'
import type { Device } from '../../contract/own-session.ts'
import { notFound } from '../../contract/problem.ts'
import type { Setup } from '../../contract/setup.ts'
import { type LoginAttempt, recordFailure, recordPresence } from '../../db/accounts/login-attempts.ts'
import { insertUser } from '../../db/accounts/users.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { Database } from '../../db/schema/tables.ts'
import { hasTenants, lockSetup } from '../../db/school/tenants.ts'
import { requireLocale, requireTimeZone } from './change-tenant.ts'
import { createTenantIn } from './create-tenant.ts'

export type SetupContext = LoginContext & {
  readonly device: Device
  readonly secrets: RefreshSecrets
  readonly jwtSecret: string
  readonly now: Date
}

const ACCOUNT = 'setup'

/**
 * Creates the first school and its owner, and logs the owner in. Throws the same `not_found` for a wrong token and if a school
 * exists, `too_many_requests`, and `invalid_request` for a common password or an unknown time zone.
 */
export async function setUp(
  database: DatabasePool,
  { token, school, owner: { password, ...owner } }: Setup,
  context: SetupContext,
): Promise<Continuation> {
  await requireToken(database, token, context)
  requireTimeZone(school.timezone, '/school/timezone')
  requireLocale(school.locale, '/school/locale')
  const user = {
    ...owner,
    id: newId(),
    email: accountFor(owner.email),
    role: 'owner',
    instructor_id: null,
  } as const
  await requireUncommon(password, { email: user.email, school: school.name }, 'owner/password')
  const password_hash = await hashPassword(password)
  await inTransaction(database, async (db) => {
    if (!(await lockSetup(db))) throw notFound()
    const actor = await createTenantIn(db, { command: 'setup', now: context.now }, school)
    await insertUser(db, actor, { ...user, password_hash })
  })
  await recordPresence(database, user.id, context.network)
  return openFamily(
    database,
    { id: user.id, password_hash },
    { device: context.device, provedBy: 'password', secrets: context.secrets },
  )
}

async function requireToken(
  db: Database,
  token: string,
  { network, limits, jwtSecret }: SetupContext,
): Promise<void> {
  if (await hasTenants(db)) throw notFound()
  const attempt: LoginAttempt = { kind: 'setup', account: ACCOUNT, network }
  // Limited only by network: guesses from other networks must not lock out the operator, and 256 bits cannot be guessed.
  if (isSetupToken(token, jwtSecret)) return
  await requireAllowedHere(db, attempt, limits)
  await recordFailure(db, attempt)
  throw notFound()
}

import type { OwnSchool } from '../contract/own-school.ts'
import { notFound } from '../contract/problem.ts'
import { recordPresence } from '../db/accounts/login-attempts.ts'
import { listProvedUsers } from '../db/accounts/session-users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { requireTenant } from '../db/school/tenants.ts'
import type { LoginRequest } from './login.ts'
import { type Continuation, openFamily } from './refresh-token.ts'
import { secondFactorRequired } from './second-factor-step.ts'
import type { Session } from './session.ts'

/** Returns the school of a session and the others that it may switch to, sorted by name. */
export async function listOwnSchools(
  db: Database,
  { user, familyId }: Session,
): Promise<readonly OwnSchool[]> {
  const users = await listProvedUsers(db, { familyId, userId: user.id })
  const schools = await Promise.all(
    users.map(async ({ id, tenant_id, second_factor }) => {
      const { name } = await requireTenant(db, tenant_id)
      return { id: tenant_id, name, is_current: id === user.id, second_factor }
    }),
  )
  return schools.toSorted((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1))
}

/**
 * Switches to another school whose user the session's login proved: opens a session there, without a proof of identity yet,
 * and ends this one. Throws `not_found` for any other school, and `second_factor_required` with the next challenge.
 */
export async function switchSchool(
  db: DatabasePool,
  { user, familyId }: Session,
  tenantId: string,
  { network, device, ceremony, secrets }: LoginRequest,
): Promise<Continuation> {
  const users = await listProvedUsers(db, { familyId, userId: user.id })
  const login = users.find(({ id, tenant_id }) => tenant_id === tenantId && id !== user.id)
  if (!login) throw notFound()
  if (login.second_factor) throw await secondFactorRequired(db, login, ceremony, { from: familyId })
  const spend = (tx: Transaction) => recordPresence(tx, login.id, network)
  return openFamily(db, login, { device, provedBy: null, secrets, beside: { from: familyId }, spend })
}

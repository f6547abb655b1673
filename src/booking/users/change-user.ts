import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { type SchoolUser, type UserChange, userFaultsFor } from '../../contract/user.ts'
import { lockFamiliesOf, revokeFamiliesOf } from '../../db/accounts/refresh-tokens.ts'
import { hasOtherOwner, lockSchoolUser, updateSchoolUser } from '../../db/accounts/school-users.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { hasInstructor } from '../../db/school/instructors.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { type Intent, requireExpected } from '../expected-version.ts'

/**
 * Changes a user; disabling ends the sessions. Returns the user and the ended sessions. Throws `not_found`, `stale`,
 * `invalid_request` for the role instructor without `instructor_id`, and `last_owner`.
 */
export async function changeUser(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<UserChange>,
): Promise<{ readonly user: SchoolUser; readonly revoked: readonly string[] }> {
  const { tenant } = actor
  return inTransaction(database, async (db) => {
    // Serializes changes of users: otherwise two owners could demote each other at once and leave none.
    await lockTenant(db, tenant.id)
    const stored = await lockSchoolUser(db, tenant.id, id)
    if (!stored) throw notFound()
    if (stored.instructor_id !== null) await lockCalendars(db, tenant.id, [stored.instructor_id])
    await lockSession(db, actor)
    if (change.instructor_id && !(await hasInstructor(db, tenant.id, change.instructor_id))) throw notFound()
    requireExpected(isExpected, stored)
    const next = nextOf(stored, change)
    if (canRunTheSchool(stored) && !canRunTheSchool(next) && !(await hasOtherOwner(db, tenant.id, id)))
      throw new Problem('last_owner')
    const user = await updateSchoolUser(db, actor, { stored, next })
    const isNewlyDisabled = next.disabled && !stored.disabled
    if (isNewlyDisabled) return { user, revoked: await revokeFamiliesOf(db, id, 'user_disabled') }
    const { role, instructor_id } = stored
    if (role !== next.role || instructor_id !== next.instructor_id) await lockFamiliesOf(db, id)
    return { user, revoked: [] }
  })
}

function nextOf(stored: SchoolUser, change: UserChange): SchoolUser {
  const next = { ...stored, ...change }
  const faults = userFaultsFor(next)
  if (faults.length > 0) throw invalidRequest(faults)
  return next
}

function canRunTheSchool({ role, state, disabled }: SchoolUser): boolean {
  return role === 'owner' && state === 'active' && !disabled
}

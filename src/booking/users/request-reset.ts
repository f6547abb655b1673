import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { listLogins } from '../../db/accounts/users.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { requireTenant } from '../../db/school/tenants.ts'
import type { Links } from './hand-out-link.ts'
import { linkToResetUnlessFresh } from './invite-user.ts'

/**
 * Mails a reset link to each user of an address who has no fresh one; each mail names the school. No response may wait for it,
 * since the time would reveal whether there are users.
 */
export async function mailReset(
  database: DatabasePool,
  account: string,
  links: Links,
  when: Pick<Actor, 'now' | 'set_id'>,
): Promise<void> {
  for (const login of await listLogins(database, account)) {
    const tenant = await requireTenant(database, login.tenant_id)
    const asked = { kind: 'system', id: null, name: 'password reset', instructor_id: null } as const
    try {
      const actor: Actor = { ...asked, role: 'operator', tenant, ...when }
      await linkToResetUnlessFresh(database, actor, login.id, links)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
}

import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { SchoolUser } from '../../contract/user.ts'
import { lockSchoolUser } from '../../db/accounts/school-users.ts'
import type { Transaction } from '../../db/schema/tables.ts'

export async function requireUser(db: Transaction, actor: Actor, id: string): Promise<SchoolUser> {
  const user = await lockSchoolUser(db, actor.tenant.id, id)
  if (!user) throw notFound()
  await lockSession(db, actor)
  return user
}

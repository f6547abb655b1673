import { sql } from 'kysely'
import type { Database, Transaction } from '../schema/tables.ts'
import type { Login } from './users.ts'

export type ProvedUser = Pick<Login, 'id' | 'tenant_id' | 'password_hash' | 'second_factor'>

type LiveFamily = { readonly familyId: string; readonly userId: string }

/** Returns the active users whose password was proved at a session's login, including the session's own user. */
export async function listProvedUsers(
  db: Database,
  { familyId, userId }: LiveFamily,
): Promise<readonly ProvedUser[]> {
  const ids = [userId, ...(await listSessionUsers(db, familyId))]
  return db
    .selectFrom('users')
    .select(['id', 'tenant_id', 'password_hash', 'second_factor'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('disabled_at', 'is', null)
    .execute()
}

/** Returns the ids of the users of other schools that a session may switch to, including disabled ones. */
export async function listSessionUsers(db: Database, familyId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('session_users')
    .select('user_id')
    .where('family_id', '=', familyId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function addSessionUsers(
  db: Transaction,
  family_id: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .insertInto('session_users')
    .values(userIds.map((user_id) => ({ family_id, user_id })))
    .execute()
}

export async function dropSessionUsers(db: Transaction, familyId: string): Promise<void> {
  await db.deleteFrom('session_users').where('family_id', '=', familyId).execute()
}

/** Locks active users until the transaction ends. A concurrent new password waits, then revokes the right to switch to them. */
export async function lockUsers(
  db: Transaction,
  ids: readonly string[],
): Promise<readonly Pick<Login, 'id' | 'password_hash'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

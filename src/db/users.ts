import type { User } from '../contract/auth.ts'
import { createdAt, updatedAt } from './columns.ts'
import type { Database, Transaction } from './tables.ts'

const userColumns = ['id', 'tenant_id', 'email', 'name', createdAt, updatedAt] as const

/** What a login needs to know of a user. */
export type Login = { readonly id: string; readonly password_hash: string; readonly disabled_at: Date | null }

/** The user, by its id. */
export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

/** The login of an e-mail address that is already trimmed and lower-cased. */
export async function findLogin(db: Database, email: string): Promise<Login | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/**
 * Holds a login that was checked against this hash until the transaction ends: a change of the password waits, and
 * then finds the session that this one opens. Nothing if the password has changed or the user is disabled meanwhile.
 */
export async function holdLogin(
  db: Transaction,
  { id, password_hash }: Login,
): Promise<{ id: string; tenant_id: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'tenant_id'])
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** All users, of one tenant or of all. For the operator only. */
export async function listUsers(db: Database, tenantId?: string): Promise<(User & { disabled: boolean })[]> {
  const users = await db
    .selectFrom('users')
    .select([...userColumns, 'disabled_at'])
    .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
    .orderBy('email')
    .execute()
  return users.map(({ disabled_at, ...user }) => ({ ...user, disabled: disabled_at !== null }))
}

/** Stores a user; nothing if the e-mail address is taken. */
export async function insertUser(
  db: Database,
  user: { id: string; tenant_id: string; email: string; name: string; password_hash: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Sets the password of a user; false if it was to replace another than the one that stands. */
export async function setPasswordHash(
  db: Database,
  id: string,
  password_hash: string,
  { replacing }: { replacing?: string } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash, updated_at: new Date() })
    .where('id', '=', id)
    .$if(replacing !== undefined, (query) => query.where('password_hash', '=', replacing ?? ''))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Disables a user, or enables it again. */
export async function setDisabled(db: Database, id: string, disabled: boolean): Promise<void> {
  const now = new Date()
  await db
    .updateTable('users')
    .set({ disabled_at: disabled ? now : null, updated_at: now })
    .where('id', '=', id)
    .execute()
}

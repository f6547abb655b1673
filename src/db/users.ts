import type { Actor } from '../contract/actor.ts'
import type { User } from '../contract/auth.ts'
import { type Deed, recordChanges } from './changes.ts'
import { createdAt, updatedAt } from './columns.ts'
import type { Database, Transaction } from './tables.ts'

const userColumns = [
  'id',
  'tenant_id',
  'email',
  'name',
  'role',
  'instructor_id',
  createdAt,
  updatedAt,
] as const

/** What a login needs to know of a user. */
export type Login = {
  readonly id: string
  readonly tenant_id: string
  readonly password_hash: string
  readonly disabled_at: Date | null
}

/** The user, by its id. */
export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

/** The login of an e-mail address that is already trimmed and lower-cased. */
export async function findLogin(db: Database, email: string): Promise<Login | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'tenant_id', 'password_hash', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/**
 * Holds a login that was checked against this hash until the transaction ends: a change of the password waits, and
 * then finds the session that this one opens. Nothing if the password has changed or the user is disabled meanwhile.
 */
export async function holdLogin(
  db: Transaction,
  { id, password_hash }: Pick<Login, 'id' | 'password_hash'>,
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

/** A user to be stored. */
type StoredUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly password_hash: string
}

/** Stores a user of the actor's school, and notes it; false if the e-mail address is taken. */
export async function insertUser(
  db: Transaction,
  actor: Actor,
  { password_hash, ...user }: StoredUser,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ ...user, password_hash, tenant_id: actor.tenant.id })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  const { id, ...after } = user
  await recordChanges(db, actor, [
    { resource: 'user', resource_id: id, action: 'created', before: null, after },
  ])
  return true
}

/**
 * Sets the password of a user, and notes that it was set; false if it was to replace another than the one that stands.
 */
export async function setPasswordHash(
  db: Transaction,
  actor: Actor,
  id: string,
  { passwordHash, replacing }: { passwordHash: string; replacing?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: actor.now })
    .where('id', '=', id)
    .where('tenant_id', '=', actor.tenant.id)
    .$if(replacing !== undefined, (query) => query.where('password_hash', '=', replacing ?? ''))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  await recordUser(db, actor, id, { before: {}, after: { password_set: true } })
  return true
}

/** Disables a user, or enables it again, and notes it; a user who is so already stays as it is. */
export async function setDisabled(
  db: Transaction,
  actor: Actor,
  id: string,
  disabled: boolean,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ disabled_at: disabled ? actor.now : null, updated_at: actor.now })
    .where('id', '=', id)
    .where('tenant_id', '=', actor.tenant.id)
    .where('disabled_at', disabled ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return
  await recordUser(db, actor, id, { before: { disabled: !disabled }, after: { disabled } })
}

function recordUser(
  db: Transaction,
  actor: Actor,
  resource_id: string,
  sides: Pick<Deed, 'before' | 'after'>,
): Promise<void> {
  return recordChanges(db, actor, [{ resource: 'user', resource_id, action: 'changed', ...sides }])
}

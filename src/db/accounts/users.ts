import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { User } from '../../contract/auth.ts'
import { Problem } from '../../contract/problem.ts'
import type { SchoolUser, UserState } from '../../contract/user.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from '../connection/transaction.ts'
import { endFeedWithoutLogin } from '../links.ts'
import { type ChangeEntry, recordChanges } from '../log/changes.ts'
import { createdAt, updatedAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { dropLinks } from './password-links.ts'

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

const loginColumns = ['id', 'tenant_id', 'password_hash', 'second_factor', 'disabled_at'] as const

/** The data of a user that a login needs. */
export type Login = {
  readonly id: string
  readonly tenant_id: string
  /** Null until an invitation is accepted. */
  readonly password_hash: string | null
  /** Whether the password is not enough. */
  readonly second_factor: boolean
  readonly disabled_at: Date | null
}

/** The user, by its id. */
export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

/** The login of an e-mail address that is already trimmed and lower-cased. */
export async function findLogin(db: Database, email: string): Promise<Login | undefined> {
  return db.selectFrom('users').select(loginColumns).where('email', '=', email).executeTakeFirst()
}

/** The login of a user, and its e-mail address. */
export async function findUsersLogin(
  db: Database,
  id: string,
): Promise<(Login & { readonly email: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...loginColumns, 'email'])
    .where('id', '=', id)
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

/** Whether a user is still invited, can log in, or may not. */
export const userState = sql<UserState>`case when disabled_at is not null then 'disabled'
  when password_hash is null then 'invited' else 'active' end`.as('state')

/** Whether a user may not log in. */
export const isDisabled = sql<boolean>`disabled_at is not null`.as('disabled')

/** All users, of one tenant or of all. For the operator only. */
export async function listUsers(
  db: Database,
  tenantId?: string,
): Promise<(User & Pick<SchoolUser, 'disabled' | 'state'>)[]> {
  return db
    .selectFrom('users')
    .select([...userColumns, isDisabled, userState])
    .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
    .orderBy('email')
    .execute()
}

/** A user to be stored; one who is invited has no password yet. */
type StoredUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly password_hash: string | null
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

/** Deletes a locked user who has never set a password, and records it; false if the user has set one. */
export async function deleteInvitedUser(
  db: Transaction,
  actor: Actor,
  { id, email, name, role, instructor_id }: Omit<StoredUser, 'password_hash'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', id)
    .where('password_hash', 'is', null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows !== 1n) return false
  const before = { email, name, role, instructor_id }
  await recordChanges(db, actor, [
    { resource: 'user', resource_id: id, action: 'deleted', before, after: null },
  ])
  return true
}

/**
 * Sets the password of a user, and notes that it was set; false if it was to replace another than the one that stands. All
 * links by which the user could have set one end.
 */
export async function setPasswordHash(
  db: Transaction,
  actor: Actor,
  id: string,
  { passwordHash, replacing }: { passwordHash: string; replacing?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: actor.now })
    .where('id', '=', id)
    .where('tenant_id', '=', actor.tenant.id)
    .$if(replacing !== undefined, (query) => query.where('password_hash', '=', replacing ?? ''))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return false
  await dropLinks(db, actor.tenant.id, id)
  await recordUser(db, actor, id, { before: {}, after: { password_set: true } })
  return true
}

/**
 * Gives a locked user another e-mail address, trimmed and lower-cased; links to the old one end. The caller records it. Throws
 * `email_taken`, also if another transaction takes the address at the same time.
 */
export async function setEmail(db: Transaction, actor: Actor, id: string, email: string): Promise<void> {
  // The mails that wait are found by the old address.
  await dropLinks(db, actor.tenant.id, id)
  try {
    await db
      .updateTable('users')
      .set({ email, version: sql<number>`version + 1`, updated_at: actor.now })
      .where('tenant_id', '=', actor.tenant.id)
      .where('id', '=', id)
      .execute()
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) throw new Problem('email_taken')
    throw error
  }
}

/** Disables a user, which ends its links and maybe a feed, or enables it again, and notes it; a user who is so already stays as it is. */
export async function setDisabled(
  db: Transaction,
  actor: Actor,
  id: string,
  disabled: boolean,
): Promise<void> {
  const [user] = await db
    .updateTable('users')
    .set({
      disabled_at: disabled ? actor.now : null,
      updated_at: actor.now,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .where('tenant_id', '=', actor.tenant.id)
    .where('disabled_at', disabled ? 'is' : 'is not', null)
    .returning('instructor_id')
    .execute()
  if (!user) return
  if (disabled) await dropLinks(db, actor.tenant.id, id)
  if (disabled && user.instructor_id !== null) await endFeedWithoutLogin(db, actor, user.instructor_id)
  await recordUser(db, actor, id, { before: { disabled: !disabled }, after: { disabled } })
}

/** Notes what was done to a user's login: never a secret, nor its hash. */
export function recordUser(
  db: Transaction,
  actor: Actor,
  resource_id: string,
  sides: Pick<ChangeEntry, 'before' | 'after'>,
): Promise<void> {
  return recordChanges(db, actor, [{ resource: 'user', resource_id, action: 'changed', ...sides }])
}

import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { User } from '../../contract/auth.ts'
import { Problem } from '../../contract/problem.ts'
import type { SchoolUser, UserState } from '../../contract/user.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from '../connection/transaction.ts'
import { type ChangeEntry, recordChanges } from '../log/changes.ts'
import { createdAt, updatedAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { endFeedWithoutLogin } from '../students/links.ts'
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

/** The maximum of schools with users of one e-mail address: a login compares the password with each user's. */
export const SCHOOLS_PER_ADDRESS = 5

const loginColumns = ['id', 'tenant_id', 'password_hash', 'second_factor', 'disabled_at'] as const

export type Login = {
  readonly id: string
  readonly tenant_id: string
  readonly password_hash: string | null
  readonly second_factor: boolean
  readonly disabled_at: Date | null
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

/** Returns the users of all schools with a normalized e-mail address, oldest first; optionally only those with a password. */
export async function listLogins(
  db: Database,
  email: string,
  { withPassword = false }: { readonly withPassword?: boolean } = {},
): Promise<readonly Login[]> {
  return db
    .selectFrom('users')
    .select(loginColumns)
    .where('email', '=', email)
    .$if(withPassword, (query) => query.where('password_hash', 'is not', null))
    .orderBy(sql`users.created_at`)
    .orderBy('id')
    .limit(SCHOOLS_PER_ADDRESS)
    .execute()
}

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

/** Locks the user of a verified login. Returns undefined if the password has changed since or the user is disabled. */
export async function lockLogin(
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

/** Whether the owner lets a user sign for the school. */
export async function mayUserSign(db: Database, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('may_sign')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.may_sign ?? false
}

export const userState = sql<UserState>`case when disabled_at is not null then 'disabled'
  when password_hash is null then 'invited' else 'active' end`.as('state')

export const isDisabled = sql<boolean>`disabled_at is not null`.as('disabled')

export async function listUsers(
  db: Database,
  tenantId?: string,
): Promise<(User & Pick<SchoolUser, 'disabled' | 'state'>)[]> {
  return db
    .selectFrom('users')
    .select([...userColumns, isDisabled, userState])
    .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
    .orderBy('email')
    .orderBy('tenant_id')
    .execute()
}

type StoredUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly password_hash: string | null
}

/** Inserts and records a user. Returns false if the address is taken in the school or in too many schools. */
export async function insertUser(
  db: Transaction,
  actor: Actor,
  { password_hash, ...user }: StoredUser,
): Promise<boolean> {
  if (!(await lockAndCheckAddress(db, actor.tenant.id, user.email))) return false
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ ...user, password_hash, tenant_id: actor.tenant.id })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'email']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  const { id, ...after } = user
  await recordChanges(db, actor, [
    { resource: 'user', resource_id: id, action: 'created', before: null, after },
  ])
  return true
}

export async function isAddressAvailable(db: Database, tenantId: string, email: string): Promise<boolean> {
  const logins = await listLogins(db, email)
  return logins.length < SCHOOLS_PER_ADDRESS && logins.every(({ tenant_id }) => tenant_id !== tenantId)
}

/** Locks the address and returns `isAddressAvailable`, read in a separate statement, to see users committed before the lock. */
async function lockAndCheckAddress(db: Transaction, tenantId: string, email: string): Promise<boolean> {
  await lockAddresses(db, [email])
  return isAddressAvailable(db, tenantId, email)
}

export async function lockAddresses(db: Database, emails: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('users of ' || email, 0))
    from (select email from unnest(${emails}::text[]) email order by email) ordered`.execute(db)
}

/** Deletes a locked user who is still invited and records it. Returns false if the user has a password. */
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

/** Sets and records a password and deletes the user's links. Returns false if `replacing` is not the current hash. */
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

/** Replaces the hash of an unchanged password, unless it has changed. */
export async function replacePasswordHash(
  db: Database,
  id: string,
  { passwordHash, replacing }: { readonly passwordHash: string; readonly replacing: string | null },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', replacing)
    .execute()
}

/** Sets a locked user's normalized address and deletes the user's links; the caller records it. Throws `email_taken`. */
export async function setEmail(db: Transaction, actor: Actor, id: string, email: string): Promise<void> {
  await dropLinks(db, actor.tenant.id, id)
  if (!(await lockAndCheckAddress(db, actor.tenant.id, email))) throw new Problem('email_taken')
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

/** Disables or enables a user and records it. Disabling deletes links and, if no active login is left, the instructor's feed. */
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

export function recordUser(
  db: Transaction,
  actor: Actor,
  resource_id: string,
  sides: Pick<ChangeEntry, 'before' | 'after'>,
): Promise<void> {
  return recordChanges(db, actor, [{ resource: 'user', resource_id, action: 'changed', ...sides }])
}

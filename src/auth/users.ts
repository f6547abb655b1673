import type { Actor } from '../contract/actor.ts'
import type { User } from '../contract/auth.ts'
import { newId } from '../contract/new-id.ts'
import { revokeFamiliesOf } from '../db/accounts/refresh-tokens.ts'
import { insertUser, setDisabled, setPasswordHash } from '../db/accounts/users.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { hashPassword } from './password.ts'
import { requireUncommon } from './password-rules.ts'

export type UserWithPassword = Pick<User, 'email' | 'name'> &
  Partial<Pick<User, 'role' | 'instructor_id'>> & { readonly password: string }

/** Creates a user and returns its id; undefined if the address is taken. Throws `invalid_request` for a common password. */
export async function createUser(
  database: DatabasePool,
  actor: Actor,
  { password, role = 'owner', instructor_id = null, ...user }: UserWithPassword,
): Promise<string | undefined> {
  await requireUncommon(password, { email: user.email, school: actor.tenant.name })
  const id = newId()
  const password_hash = await hashPassword(password)
  const isMade = await inTransaction(database, (db) =>
    insertUser(db, actor, { ...user, role, instructor_id, id, password_hash }),
  )
  return isMade ? id : undefined
}

/** Sets a password, ends the user's sessions and returns the ended families. Throws `invalid_request` for a common password. */
export async function setPassword(
  database: DatabasePool,
  actor: Actor,
  { id, email }: { readonly id: string; readonly email: string },
  password: string,
): Promise<readonly string[]> {
  await requireUncommon(password, { email, school: actor.tenant.name })
  const passwordHash = await hashPassword(password)
  return inTransaction(database, async (db) => {
    await setPasswordHash(db, actor, id, { passwordHash })
    return revokeFamiliesOf(db, id, 'password_changed')
  })
}

/** Disables or enables a user. Disabling ends the user's sessions. Returns the ended families. */
export async function disableUser(
  database: DatabasePool,
  actor: Actor,
  userId: string,
  disabled: boolean,
): Promise<readonly string[]> {
  return inTransaction(database, async (db) => {
    await setDisabled(db, actor, userId, disabled)
    return disabled ? revokeFamiliesOf(db, userId, 'user_disabled') : []
  })
}

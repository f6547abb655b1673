import { type Selectable, sql } from 'kysely'
import type { User } from '../contract/auth.ts'
import { utc } from './columns.ts'
import type { PasswordLinkTable } from './login-tables.ts'
import type { Database, Transaction } from './tables.ts'

export type LinkKind = PasswordLinkTable['kind']

/** Seconds that links live, by their kind. */
export const LINK_SECONDS: Readonly<Record<LinkKind, number>> = {
  invitation: 7 * 24 * 60 * 60,
  reset: 30 * 60,
}

/** Of what kind a link is, and the hash of its secret. */
export type LinkKey = Pick<Selectable<PasswordLinkTable>, 'kind' | 'secret_hash'>

/** Whose link it is. */
export type LinkedUser = Pick<User, 'id' | 'tenant_id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly expires_at: string
}

/** Gives a user who is locked a link, in place of an older one of that kind. Returns when it ends, in RFC 3339. */
export async function putLink(
  db: Transaction,
  userId: string,
  { kind, secret_hash }: LinkKey,
): Promise<string> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${LINK_SECONDS[kind]})`
  const link = { secret_hash, expires_at, created_at: sql<Date>`now()` }
  const row = await db
    .insertInto('password_links')
    .values({ user_id: userId, kind, ...link })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(link))
    .returning(utc('expires_at').as('expires_at'))
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** The user of a link that stands: neither used, replaced nor expired, and the user may log in. */
export async function findLinkedUser(
  db: Database,
  { kind, secret_hash }: LinkKey,
): Promise<LinkedUser | undefined> {
  return db
    .selectFrom('password_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .select([
      'users.id',
      'users.tenant_id',
      'users.email',
      'users.name',
      'users.role',
      'users.instructor_id',
      utc('link.expires_at').as('expires_at'),
    ])
    .where('link.secret_hash', '=', secret_hash)
    .where('link.kind', '=', kind)
    .where('link.expires_at', '>', sql<Date>`now()`)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Ends all links of a user who is locked. */
export async function dropLinks(db: Transaction, userId: string): Promise<void> {
  await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
}

/** Deletes resets that have expired. An invitation stays, so that the owners see when it ended. */
export async function purgeExpiredResets(db: Database): Promise<void> {
  await sql`delete from password_links where kind = 'reset' and expires_at < now()`.execute(db)
}

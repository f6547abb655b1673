import { type Selectable, sql } from 'kysely'
import type { User } from '../contract/auth.ts'
import type { MailText } from '../contract/mail.ts'
import { utc } from './columns.ts'
import type { PasswordLinkTable } from './login-tables.ts'
import { withdrawMails } from './mails.ts'
import type { Database, Transaction } from './tables.ts'

export type LinkKind = PasswordLinkTable['kind']

/** Seconds that links live, by their kind. */
export const LINK_SECONDS: Readonly<Record<LinkKind, number>> = {
  invitation: 7 * 24 * 60 * 60,
  reset: 30 * 60,
}

/** A reset with at least this many seconds left is fresh: a request for another leaves it alone. */
const FRESH_RESET_SECONDS = 10 * 60

/** The mail that brings a link. */
const TEMPLATES: Readonly<Record<LinkKind, MailText['template']>> = {
  invitation: 'invitation',
  reset: 'password_reset',
}

/** Of what kind a link is, and the hash of its secret. */
export type LinkKey = Pick<Selectable<PasswordLinkTable>, 'kind' | 'secret_hash'>

/** Whose link it is. */
export type LinkedUser = Pick<User, 'id' | 'tenant_id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly expires_at: string
}

/**
 * Creates a link for the locked user row and replaces an earlier one of that kind, whose mail is not sent any more. Returns its
 * expiry (RFC 3339).
 */
export async function putLink(
  db: Transaction,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  { kind, secret_hash }: LinkKey,
): Promise<string> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${LINK_SECONDS[kind]})`
  const link = { secret_hash, expires_at, created_at: sql<Date>`now()` }
  await withdrawMails(db, { tenantId, userId, templates: [TEMPLATES[kind]] })
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

/** Whether a user who is locked has a reset that is fresh. */
export async function hasFreshReset(db: Transaction, userId: string): Promise<boolean> {
  const fresh = await db
    .selectFrom('password_links')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset')
    .where('expires_at', '>=', sql<Date>`now() + make_interval(secs => ${FRESH_RESET_SECONDS})`)
    .executeTakeFirst()
  return fresh !== undefined
}

/** Ends all links of a user who is locked, and their mails that wait. */
export async function dropLinks(db: Transaction, tenantId: string, userId: string): Promise<void> {
  await withdrawMails(db, { tenantId, userId, templates: Object.values(TEMPLATES) })
  await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
}

/** Deletes resets that have expired. An invitation stays, so that the owners see when it ended. */
export async function purgeExpiredResets(db: Database): Promise<void> {
  await sql`delete from password_links where kind = 'reset' and expires_at < now()`.execute(db)
}

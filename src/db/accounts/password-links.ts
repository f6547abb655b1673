import { type Selectable, sql } from 'kysely'
import type { User } from '../../contract/auth.ts'
import type { MailText } from '../../contract/mail.ts'
import { withdrawMails } from '../messages/mails.ts'
import { utc } from '../schema/columns.ts'
import type { PasswordLinkTable } from '../schema/login-tables.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type LinkKind = PasswordLinkTable['kind']

export const LINK_SECONDS: Readonly<Record<LinkKind, number>> = {
  invitation: 7 * 24 * 60 * 60,
  reset: 30 * 60,
  email_old: 24 * 60 * 60,
  email_new: 24 * 60 * 60,
}

export const EMAIL_LINKS = ['email_old', 'email_new'] as const satisfies readonly LinkKind[]

/** The minimum seconds left on a reset link for another request to keep it instead of replacing it. */
const FRESH_RESET_SECONDS = 10 * 60

const TEMPLATES: Readonly<Record<LinkKind, MailText['template']>> = {
  invitation: 'invitation',
  reset: 'password_reset',
  email_old: 'email_change_notice',
  email_new: 'email_change',
}

export type LinkKey = Pick<Selectable<PasswordLinkTable>, 'kind' | 'secret_hash'>

type NewLink = LinkKey & { readonly email?: string }

export type LinkSearch = { readonly kinds: readonly LinkKind[]; readonly secret_hash: Buffer }

export type LinkedUser = Pick<User, 'id' | 'tenant_id' | 'email' | 'name' | 'role' | 'instructor_id'> & {
  readonly expires_at: string
  readonly kind: LinkKind
  readonly new_email: string | null
  readonly is_confirmed: boolean
}

/** Creates a link for a locked user. Replaces an earlier one and withdraws its mail. Returns the expiry (RFC 3339). */
export async function putLink(
  db: Transaction,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  { kind, secret_hash, email }: NewLink,
): Promise<string> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${LINK_SECONDS[kind]})`
  const fresh = { created_at: sql<Date>`now()`, confirmed_at: null }
  const link = { secret_hash, expires_at, email: email ?? null, ...fresh }
  await withdrawMails(db, { tenantId, userId, templates: [TEMPLATES[kind]] })
  const row = await db
    .insertInto('password_links')
    .values({ user_id: userId, kind, ...link })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(link))
    .returning(utc('expires_at').as('expires_at'))
    .executeTakeFirstOrThrow()
  return row.expires_at
}

export async function findLinkedUser(
  db: Database,
  { kinds, secret_hash }: LinkSearch,
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
      'link.kind',
      'link.email as new_email',
      sql<boolean>`link.confirmed_at is not null`.as('is_confirmed'),
    ])
    .where('link.secret_hash', '=', secret_hash)
    .where('link.kind', 'in', kinds)
    .where('link.expires_at', '>', sql<Date>`now()`)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}

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

export async function dropLinks(db: Transaction, tenantId: string, userId: string): Promise<void> {
  await withdrawMails(db, { tenantId, userId, templates: Object.values(TEMPLATES) })
  await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
}

export async function confirmEmailLink(db: Transaction, userId: string, kind: LinkKind): Promise<boolean> {
  await db
    .updateTable('password_links')
    .set({ confirmed_at: sql<Date>`coalesce(confirmed_at, now())` })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute()
  const confirmed = await db
    .selectFrom('password_links')
    .select('kind')
    .where('user_id', '=', userId)
    .where('kind', 'in', EMAIL_LINKS)
    .where('confirmed_at', 'is not', null)
    .execute()
  return confirmed.length === EMAIL_LINKS.length
}

export async function dropEmailLinks(db: Transaction, tenantId: string, userId: string): Promise<void> {
  await withdrawMails(db, { tenantId, userId, templates: EMAIL_LINKS.map((kind) => TEMPLATES[kind]) })
  await db
    .deleteFrom('password_links')
    .where('user_id', '=', userId)
    .where('kind', 'in', EMAIL_LINKS)
    .execute()
}

/** Deletes expired links except invitations: owners see when those expired. */
export async function purgeExpiredLinks(db: Database): Promise<void> {
  await sql`delete from password_links where kind <> 'invitation' and expires_at < now()`.execute(db)
}

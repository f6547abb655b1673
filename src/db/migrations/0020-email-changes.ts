import { type Kysely, sql } from 'kysely'

/**
 * A change of a user's e-mail address has two links, one for each address, and takes effect once both are confirmed. `email` is
 * the new address, in both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_links
    drop constraint password_links_kind_check,
    add constraint password_links_kind_check check (kind in ('invitation', 'reset', 'email_old', 'email_new')),
    add column email text,
    add column confirmed_at timestamptz,
    add constraint password_links_email_check check ((email is not null) = (kind in ('email_old', 'email_new')))`.execute(
    db,
  )
}

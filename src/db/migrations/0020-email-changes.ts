import { type Kysely, sql } from 'kysely'

/**
 * Adds the two links of a change of e-mail address, one to each address. The change takes effect once both are confirmed.
 * `email` is the new address, in both links.
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

import { type Kysely, sql } from 'kysely'

/** Adds the e-mail address of schools, which gets the answers to their mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column email text`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds an index for the newest mail to a user's address, which owners see in the list of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mails_by_address on mails (tenant_id, lower(to_address), created_at, id)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the hours on which a request for other hours is based, so that accepting it changes only the requested ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedule_requests add column windows_before jsonb`.execute(db)
}

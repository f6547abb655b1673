import { type Kysely, sql } from 'kysely'

/** Stores with a request for other hours the hours that it was based on, so that accepting it changes only what was asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedule_requests add column windows_before jsonb`.execute(db)
}

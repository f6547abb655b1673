import { type Kysely, sql } from 'kysely'

/** Adds the begin of a busy calendar's trouble and of its recovery, so that one that fails now and then is reported once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table busy_calendars add column troubled_since timestamptz(3), add column well_since timestamptz(3)`.execute(
    db,
  )
}

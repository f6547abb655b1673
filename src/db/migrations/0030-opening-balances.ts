import { type Kysely, sql } from 'kysely'

/** Adds the units that a student had elsewhere, or before the school used the service. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column opening_balance json not null default '[]'`.execute(db)
}

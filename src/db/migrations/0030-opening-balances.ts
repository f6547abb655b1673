import { type Kysely, sql } from 'kysely'

/** The units that a student brings from elsewhere, or had before the school began to use the service. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column opening_balance json not null default '[]'`.execute(db)
}

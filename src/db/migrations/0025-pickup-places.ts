import { type Kysely, sql } from 'kysely'

/** Adds the place where a student is picked up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column pickup_place text`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the place where a lesson begins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table appointments add column pickup_place text`.execute(db)
}

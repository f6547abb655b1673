import { type Kysely, sql } from 'kysely'

/** Adds the restriction of students of whom only the training record is left, as JSON. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column restriction json`.execute(db)
}

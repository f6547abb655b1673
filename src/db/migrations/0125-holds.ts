import { type Kysely, sql } from 'kysely'

/** Adds the hold of a student, who is not erased meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column hold_reason text, add column hold_until date`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the units that a student had elsewhere for a training; those of the current one may also be in the opening balance. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table enrolments add column credits json not null default '[]'`.execute(db)
}

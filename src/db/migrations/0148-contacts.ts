import { type Kysely, sql } from 'kysely'

/** Adds the contacts of students, and the contact that a message goes to in the student's place. The release before has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column contacts json not null default '[]'`.execute(db)
  await sql`alter table messages add column contact_name text`.execute(db)
}

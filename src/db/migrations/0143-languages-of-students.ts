import { type Kysely, sql } from 'kysely'

/** Adds the language of a student's page and messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column language text`.execute(db)
}

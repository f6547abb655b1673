import { type Kysely, sql } from 'kysely'

/** Adds the postal addresses of students. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column address text`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds when a student was put away. To the release before, nobody is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column archived_at timestamptz`.execute(db)
}

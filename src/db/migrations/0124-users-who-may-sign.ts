import { type Kysely, sql } from 'kysely'

/** Adds whether a user may sign training records for the school, as its responsible manager does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column may_sign boolean not null default false`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds whether an instructor is still in training: the law does not count some of their lessons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instructors add column is_trainee boolean not null default false`.execute(db)
}

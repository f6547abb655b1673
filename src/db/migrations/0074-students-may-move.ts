import { type Kysely, sql } from 'kysely'

/** Lets a school allow its students to move lessons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column students_may_move boolean not null default false`.execute(db)
}

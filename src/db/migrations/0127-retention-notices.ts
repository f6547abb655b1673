import { type Kysely, sql } from 'kysely'

/** Adds the newest monthly notice of how many students of a school are due. Its month decides whether another is wanted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column retention_notice json`.execute(db)
}

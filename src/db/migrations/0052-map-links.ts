import { type Kysely, sql } from 'kysely'

/** The address of a map, with a gap for the place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column map_url text`.execute(db)
}

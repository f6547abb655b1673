import { type Kysely, sql } from 'kysely'

/** Adds the URL of a map, with a placeholder for the place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column map_url text`.execute(db)
}

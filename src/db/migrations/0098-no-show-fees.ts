import { type Kysely, sql } from 'kysely'

/** Adds the fee of a no-show. Earlier ones have none, as it was not decided. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table appointments add column no_show_fee_percent smallint`.execute(db)
}

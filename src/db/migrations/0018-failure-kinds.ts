import { type Kysely, sql } from 'kysely'

/** The kind of a failed attempt beside its account: both in one column could be typed as an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table login_failures add column kind text not null default 'login'`.execute(db)
}

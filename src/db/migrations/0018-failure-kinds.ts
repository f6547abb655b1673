import { type Kysely, sql } from 'kysely'

/** Adds the kind of a failed attempt as its own column: combined with the account, it could be entered as an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table login_failures add column kind text not null default 'login'`.execute(db)
}

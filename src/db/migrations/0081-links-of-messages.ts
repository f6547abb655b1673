import { type Kysely, sql } from 'kysely'

/** Finds the links that a school has recently sent to students, which count toward the limit of its mails with links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index messages_with_links on messages (tenant_id, created_at) where kind = 'link'`.execute(
    db,
  )
}

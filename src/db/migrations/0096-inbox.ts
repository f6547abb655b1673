import { type Kysely, sql } from 'kysely'

/**
 * Adds each user's place in the inbox, and the indexes by which it is computed: what students and requests have changed, and the
 * messages that reached nobody. The inbox itself has no table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table users add column inbox_seen_at timestamptz(3)',
  `create index changes_of_inbox on changes (tenant_id, at, id)
  where actor_kind = 'student' or resource = 'schedule_request'`,
  `create index messages_undelivered on messages (tenant_id, finished_at, id)
  where state = 'failed' or state = 'dropped' and reason in ('no_address', 'no_webhook', 'quiet', 'past')`,
]

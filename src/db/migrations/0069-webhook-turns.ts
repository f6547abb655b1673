import { type Kysely, sql } from 'kysely'

/**
 * `held_turn` is the turn of the process that serves a webhook. A change of the webhook or a replay raises `turn` and waits until
 * that process, which may have a message under way, has noticed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column held_turn integer`.execute(db)
}

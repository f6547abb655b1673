import { type Kysely, sql } from 'kysely'

/**
 * Adds `held_turn`, the turn of the process that serves a webhook. A change of the webhook or a replay increments `turn` and
 * waits until that process, which may be sending a message, has noticed it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column held_turn integer`.execute(db)
}

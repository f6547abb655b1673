import { type Kysely, sql } from 'kysely'

/** Adds the messages that wait for a call of the school. The release before sends none of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages drop constraint messages_channel_check,
    add constraint messages_channel_check check (channel in ('mail', 'webhook', 'push', 'call'))`.execute(db)
  await sql`create index messages_to_call on messages (tenant_id, send_at, id)
    where state = 'waiting' and channel = 'call'`.execute(db)
}

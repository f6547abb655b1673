import { type Kysely, sql } from 'kysely'

/** Lets students get their messages through a webhook of the school instead of by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table students add column message_channel text not null default 'mail'`.execute(db)
  await sql`alter table students add constraint students_message_channel_check
    check (message_channel in ('mail', 'webhook'))`.execute(db)
  await sql`alter table messages add column channel text not null default 'mail'
    check (channel in ('mail', 'webhook'))`.execute(db)
}

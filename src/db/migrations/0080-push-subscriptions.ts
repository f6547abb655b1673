import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the devices on which students get messages, with the addresses and keys that their browsers generated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table push_subscriptions (
    tenant_id uuid not null,
    student_id uuid not null,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, student_id, endpoint))`.execute(db)
  await placeNewTable(db, 'push_subscriptions')
  await sql`alter table push_subscriptions
    add foreign key (tenant_id, student_id) references students on delete cascade`.execute(db)
  await sql`alter table messages
    drop constraint messages_channel_check,
    add constraint messages_channel_check check (channel in ('mail', 'webhook', 'push'))`.execute(db)
}

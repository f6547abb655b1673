import { type Kysely, sql } from 'kysely'

/**
 * Adds the outbox: mails are inserted in the transaction that causes them, and sent by any process. `params` may contain a
 * secret and is deleted when the mail is sent or given up. A process claims a mail until `claimed_until`; then another may
 * claim it, and a changed `attempts` shows the first that its claim is lost. `tenant_id` has no foreign key: the outbox is one
 * queue of all schools, which stays on one node if schools are distributed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table mails (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  to_address text not null,
  to_name text not null,
  template text not null,
  params json,
  worth_until timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  claimed_until timestamptz,
  last_error text,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((state = 'waiting') = (params is not null)),
  check ((state = 'waiting') = (finished_at is null)))`,
  `create index mails_waiting on mails (next_attempt_at) where state = 'waiting'`,
  'create index mails_finished on mails (finished_at) where finished_at is not null',
]

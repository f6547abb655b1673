import { type Kysely, sql } from 'kysely'

/**
 * The outbox: mails are put into it in the transaction of what they tell of, and sent by any process. `params` may hold a
 * secret, and goes when the mail is sent or given up. A process that sends a mail claims it until `claimed_until`: a mail
 * whose process has died is claimed again after that, and `attempts` tells the late one that it is no longer its own.
 * `tenant_id` references nothing: the outbox is one queue of all schools, and stays in one place where they are spread over machines.
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

import { type Kysely, sql } from 'kysely'

/**
 * Adds a school's messages, its settings for them, and the students' consent. A cause is a change from which messages are still
 * to be derived. Neither table references `tenants`: like `mails`, they are one queue of all schools, which stays on one node if
 * schools are distributed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const OFF = {
  booked: false,
  moved: false,
  cancelled: false,
  reminder: false,
  offer: false,
  link: false,
  day_plan: false,
  reminder_hours: [24, 2],
  quiet: null,
}

const statements = [
  `alter table tenants add column messages json not null default '${JSON.stringify(OFF)}'`,
  'alter table students add column messages_consent boolean not null default false',
  `create table message_causes (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id))`,
  `create table messages (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  kind text not null check (kind in ('booked', 'moved', 'cancelled', 'reminder', 'offer', 'link', 'day_plan')),
  student_id uuid,
  instructor_id uuid,
  set_id uuid,
  appointment_ids jsonb not null default '[]',
  lessons json not null default '[]',
  params json,
  occasion text,
  to_address text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  reason text,
  send_at timestamptz(3) not null,
  worth_until timestamptz(3) not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  finished_at timestamptz(3),
  primary key (tenant_id, id),
  check ((student_id is null) <> (instructor_id is null)),
  check ((state = 'waiting') = (finished_at is null)),
  check (state = 'waiting' or params is null))`,
  `create index messages_waiting on messages (next_attempt_at, send_at) where state = 'waiting'`,
  'create index messages_finished on messages (finished_at) where finished_at is not null',
  'create index messages_by_student on messages (tenant_id, student_id, id) where student_id is not null',
  `create index messages_by_appointment on messages using gin (appointment_ids jsonb_path_ops)
  where appointment_ids <> '[]'`,
  'create unique index messages_occasion on messages (tenant_id, occasion) where occasion is not null',
]

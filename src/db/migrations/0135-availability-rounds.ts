import { type Kysely, sql } from 'kysely'

/** Adds the weekly question when students can come, its rounds, a queue of all schools, and a second secret of students' links. */
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
  availability: false,
  reminder_hours: [24, 2],
  quiet: null,
}

const KINDS = `'booked', 'moved', 'cancelled', 'reminder', 'offer', 'link', 'day_plan', 'availability'`

const statements = [
  'alter table tenants add column availability_round json',
  `alter table tenants alter column messages set default '${JSON.stringify(OFF)}'`,
  // Keeps the order of the settings.
  `update tenants set version = version + 1,
     messages = replace(messages::text, '"reminder_hours"', '"availability":false,"reminder_hours"')::json`,
  'alter table messages drop constraint messages_kind_check',
  `alter table messages add constraint messages_kind_check check (kind in (${KINDS}))`,
  'alter table links add column message_token_hash bytea',
  'create unique index links_message_token_hash on links (tenant_id, message_token_hash) where message_token_hash is not null',
  `create table availability_rounds (
  tenant_id uuid not null,
  id uuid not null,
  week_start date not null,
  due_at timestamptz(3) not null,
  state text not null default 'waiting' check (state in ('waiting', 'asking', 'asked', 'skipped')),
  student_ids uuid[] not null default '{}',
  finished_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, week_start),
  check ((finished_at is null) = (state in ('waiting', 'asking'))))`,
  'create unique index availability_rounds_of_school on availability_rounds (tenant_id) where finished_at is null',
  'create index availability_rounds_due on availability_rounds (due_at) where finished_at is null',
]

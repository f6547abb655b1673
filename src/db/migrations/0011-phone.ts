import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/**
 * Adds the actual times and contents of a lesson, and instructors' requests to the office for days off or other working
 * hours. Windows are `json`, since `jsonb` would reorder the names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await placeNewTable(db, 'schedule_requests')
  await sql
    .raw('alter table schedule_requests add foreign key (tenant_id, instructor_id) references instructors')
    .execute(db)
}

const statements = [
  `alter table appointments
     add column actual_start_at timestamp,
     add column actual_end_at timestamp,
     add column practised text`,
  // A separate statement: a distributed table accepts a constraint only without other changes.
  `alter table appointments
     add constraint appointments_actual_check check (
       (actual_start_at is null) = (actual_end_at is null)
       and isfinite(actual_start_at) and isfinite(actual_end_at)
       and actual_start_at < actual_end_at and actual_end_at <= actual_start_at + interval '24 hours')`,

  `create table schedule_requests (
  tenant_id uuid not null,
  id uuid not null,
  instructor_id uuid not null,
  start_date date,
  end_date date,
  availability_windows json,
  note text,
  status text not null check (status in ('open', 'accepted', 'declined', 'withdrawn')),
  answer text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint schedule_requests_dates_check check ((start_date is null) = (end_date is null) and start_date <= end_date),
  constraint schedule_requests_kind_check check ((start_date is null) <> (availability_windows is null)))`,
  'create index schedule_requests_by_status on schedule_requests (tenant_id, status, id)',
  'create index schedule_requests_of_instructor on schedule_requests (tenant_id, instructor_id, id)',
]

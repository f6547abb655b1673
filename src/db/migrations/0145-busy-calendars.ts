import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/**
 * Adds calendars that instructors keep elsewhere, a queue of all schools like `webhooks`, and the times they are busy, which
 * bookings read. A process claims a calendar until `next_read_at`; a changed `turn` shows a late process that its claim is lost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await placeNewTable(db, 'busy_times')
  await sql`alter table busy_times add foreign key (tenant_id, instructor_id) references instructors`.execute(
    db,
  )
}

const statements = [
  `alter table tenants add column busy_calendars text not null default 'warn'
    constraint tenants_busy_calendars_check check (busy_calendars in ('ignore', 'warn', 'refuse'))`,
  `create table busy_calendars (
  tenant_id uuid not null,
  id uuid not null,
  instructor_id uuid not null,
  name text not null,
  host text not null,
  address bytea not null,
  read_for text,
  etag text,
  last_modified text,
  digest bytea,
  last_read_at timestamptz(3),
  failing_since timestamptz(3),
  failure text,
  failures integer not null default 0,
  turn integer not null default 0,
  next_read_at timestamptz not null default now(),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  check ((failure is null) = (failing_since is null)))`,
  'create index busy_calendars_due on busy_calendars (next_read_at)',
  'create index busy_calendars_of_instructor on busy_calendars (tenant_id, instructor_id, created_at, id)',
  `create table busy_times (
  tenant_id uuid not null,
  instructor_id uuid not null,
  calendar_id uuid not null,
  times tsmultirange not null,
  primary key (tenant_id, instructor_id, calendar_id))`,
]

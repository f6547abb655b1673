import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the days on which a school is closed, the region of its holidays, and the effect of holidays on bookings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table closures (
    tenant_id uuid not null,
    id uuid not null,
    start_date date not null,
    end_date date not null,
    note text,
    version integer not null default 1,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, id),
    constraint closures_dates_check check (start_date <= end_date))`.execute(db)
  await placeNewTable(db, 'closures')
  await sql`alter table closures add foreign key (tenant_id) references tenants`.execute(db)
  await sql`alter table tenants add column region text,
    add column holidays text not null default 'warn' constraint tenants_holidays_check
      check (holidays in ('ignore', 'warn', 'refuse'))`.execute(db)
}

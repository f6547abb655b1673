import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds a school's branches with the minutes between them, and the branch of an instructor, a vehicle and a lesson. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table locations (
    tenant_id uuid not null,
    id uuid not null,
    name text collate "C" not null,
    address text,
    travel_minutes json not null,
    version integer not null default 1,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, id))`.execute(db)
  await placeNewTable(db, 'locations')
  await sql`create index locations_by_name on locations (tenant_id, name, id) where deleted_at is null`.execute(
    db,
  )
  await sql`alter table locations add foreign key (tenant_id) references tenants`.execute(db)
  for (const table of ['instructors', 'vehicles', 'appointments']) {
    await sql`alter table ${sql.table(table)} add column location_id uuid`.execute(db)
    await sql`alter table ${sql.table(table)}
      add foreign key (tenant_id, location_id) references locations`.execute(db)
  }
}

import { type Kysely, sql } from 'kysely'

/**
 * Adds calendars, the rows that bookings lock and compare: one for each instructor, student or other thing that can be in
 * one place only. They are narrow; a person's own row is wide and need not be rewritten with every lesson.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table calendars (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null,
  version integer not null default 1,
  primary key (tenant_id, id)) with (fillfactor = 70)`,

  `insert into calendars (tenant_id, id, kind, version)
    select tenant_id, id, 'instructor', calendar_version from instructors
    union all select tenant_id, id, 'student', calendar_version from students`,

  'alter table instructors drop column calendar_version',
  'alter table students drop column calendar_version',
  'alter table instructors add foreign key (tenant_id, id) references calendars',
  'alter table students add foreign key (tenant_id, id) references calendars',

  // The calendar has the same reference: a second check would only take time, for appointments at every booking.
  'alter table instructors drop constraint instructors_tenant_id_fkey',
  'alter table students drop constraint students_tenant_id_fkey',
  'alter table appointments drop constraint appointments_tenant_id_fkey',
]

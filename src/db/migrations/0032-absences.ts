import { type Kysely, sql } from 'kysely'

/** Adds an instructor's absences for parts of days, and working hours that begin or end on a date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instructors add column absences json not null default '[]'`.execute(db)
  await sql`alter table availability_windows add column valid_from date, add column valid_to date`.execute(db)
  // A separate statement: a distributed table accepts a constraint only without other changes.
  await sql`alter table availability_windows
    add constraint availability_windows_validity_check check (valid_from <= valid_to)`.execute(db)
}

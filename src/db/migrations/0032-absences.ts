import { type Kysely, sql } from 'kysely'

/** Parts of days on which an instructor is away, and working hours that begin or end on a date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instructors add column absences json not null default '[]'`.execute(db)
  await sql`alter table availability_windows add column valid_from date, add column valid_to date`.execute(db)
  // A statement of its own: a distributed table takes no others with it.
  await sql`alter table availability_windows
    add constraint availability_windows_validity_check check (valid_from <= valid_to)`.execute(db)
}

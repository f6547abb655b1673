import { type Kysely, sql } from 'kysely'

/** The cancellation of a lesson, and the school's policy. Lessons that were cancelled before have none: nobody recorded it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table appointments add column cancellation json`.execute(db)
  // A statement of its own: a distributed table takes no others with it.
  await sql`alter table appointments
    add constraint appointments_cancellation_check check (cancellation is null or status = 'cancelled')`.execute(
    db,
  )
  await sql`alter table tenants add column cancellation_policy json not null default '[]'`.execute(db)
}

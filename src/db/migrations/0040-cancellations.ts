import { type Kysely, sql } from 'kysely'

/** Adds the cancellation of a lesson and the school's policy. Lessons cancelled before have none, as it was not recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table appointments add column cancellation json`.execute(db)
  // A separate statement: a distributed table accepts a constraint only without other changes.
  await sql`alter table appointments
    add constraint appointments_cancellation_check check (cancellation is null or status = 'cancelled')`.execute(
    db,
  )
  await sql`alter table tenants add column cancellation_policy json not null default '[]'`.execute(db)
}

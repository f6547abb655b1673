import { type Kysely, sql } from 'kysely'

/** Adds the index of lessons that took place or were missed, with the columns of their sums. Booking does not write it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index appointments_with_outcome on appointments (tenant_id, start_at, status)
        include (instructor_id, lesson_type_id, end_at, actual_start_at, actual_end_at)
        where deleted_at is null and status in ('completed', 'no_show', 'cancelled')`,
    )
    .execute(db)
}

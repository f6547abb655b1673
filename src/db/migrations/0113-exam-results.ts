import { type Kysely, sql } from 'kysely'

/** Adds the index of the few appointments that have an exam result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index appointments_with_result on appointments (tenant_id, student_id) where exam_result is not null`,
    )
    .execute(db)
}

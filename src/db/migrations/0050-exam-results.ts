import { type Kysely, sql } from 'kysely'

/** Adds the results of exams. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table appointments add column exam_result json`.execute(db)
}

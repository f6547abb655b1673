import { type Kysely, sql } from 'kysely'

/** A school hides, renames and orders the lesson types of its country's pack: they are changed with `If-Match`, like its people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lesson_types add column hidden boolean not null default false,
    add column version integer not null default 1`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the settings of a school's lesson types: their names, order and which are hidden. The version is for `If-Match`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lesson_types add column hidden boolean not null default false,
    add column version integer not null default 1`.execute(db)
}

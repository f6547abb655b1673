import { type Kysely, sql } from 'kysely'

/** Adds a second phone number of a person, such as the parents'. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['students', 'instructors'])
    await sql`alter table ${sql.table(table)} add column phone_2 text`.execute(db)
}

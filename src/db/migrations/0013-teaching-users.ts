import { type Kysely, sql } from 'kysely'

/** Lets a user of any role also be an instructor, such as an owner or a clerk who teaches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users drop constraint users_instructor_check,
     add constraint users_instructor_check check (role <> 'instructor' or instructor_id is not null)`,
]

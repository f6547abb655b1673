import { type Kysely, sql } from 'kysely'

/**
 * Adds the roles of users. Existing users may do everything, as before. An instructor's login names the instructor: by no foreign
 * key, because users are global where schools are spread over machines, and an instructor never goes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users
     add column role text not null default 'owner' check (role in ('owner', 'office', 'instructor')),
     add column instructor_id uuid,
     add constraint users_instructor_check check ((role = 'instructor') = (instructor_id is not null))`,
]

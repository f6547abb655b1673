import { type Kysely, sql } from 'kysely'

/**
 * Adds the roles of users; existing users may still do everything. The `instructor_id` of an instructor's login has no foreign
 * key, because users are global even if schools are distributed, and instructors are never deleted.
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

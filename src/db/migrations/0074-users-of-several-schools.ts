import { type Kysely, sql } from 'kysely'

/**
 * Lets users of several schools have one e-mail address. `session_users` has the users of other schools whose password was also
 * proved at a session's login. It is global, like users and sessions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users
     drop constraint users_email_key,
     add constraint users_email_tenant_id_key unique (email, tenant_id)`,
  `create table session_users (
  family_id uuid not null references token_families on delete cascade,
  user_id uuid not null references users,
  primary key (family_id, user_id))`,
  'create index on session_users (user_id)',
]

import { type Kysely, sql } from 'kysely'

/**
 * Adds links to set a password: the first one of an invited user, or a new one in place of a forgotten one. A user has one
 * link of each kind, stored as a hash. Links are global, like users. Permissions are changed with `If-Match`, hence the version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users
     alter column password_hash drop not null,
     add column version integer not null default 1`,
  'create index users_by_name on users (tenant_id, name, id)',
  `create table password_links (
  user_id uuid not null references users,
  kind text not null check (kind in ('invitation', 'reset')),
  secret_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind))`,
]

import { type Kysely, sql } from 'kysely'

/**
 * Users who are invited have no password until a link lets them set one; another link replaces one that is forgotten. A user
 * has one link of each kind, of which a hash is stored. Links are global, as the users are. What a user may is changed
 * with `If-Match`, hence the version.
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

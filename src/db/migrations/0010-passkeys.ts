import { type Kysely, sql } from 'kysely'

/**
 * Adds the means by which users confirm their identity: passkeys, recovery codes, and a session's last proof. They belong to a
 * login and are global, like users. Existing sessions have no proof; users must confirm their identity when it is needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users add column second_factor boolean not null default false`,

  `alter table token_families
     add column last_used_at timestamptz not null default now(),
     add column browser text,
     add column system text,
     add column proved_at timestamptz,
     add column proved_by text,
     add constraint token_families_proof_check
       check ((proved_at is null) = (proved_by is null) and proved_by in ('password', 'passkey'))`,

  `create table passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz)`,
  'create index on passkeys (user_id)',

  `create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash))`,

  `create table used_challenges (
  id uuid primary key,
  expires_at timestamptz not null)`,
]

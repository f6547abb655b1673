import { type Kysely, sql } from 'kysely'

/** Adds API tokens: sessions with a name, a role, a scope and an expiry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table token_families
    add column name text check (length(name) > 0),
    add column role text check (role in ('owner', 'office', 'instructor')),
    add column scope text check (scope in ('read', 'write')),
    add column token_hash bytea,
    add column expires_at timestamptz(3),
    add constraint token_families_program_check check (num_nulls(name, role, scope, token_hash, expires_at) in (0, 5))`.execute(
    db,
  )
  await sql`create unique index token_families_token_hash_idx on token_families (token_hash) where token_hash is not null`.execute(
    db,
  )
}

import { type Kysely, sql } from 'kysely'

/**
 * Adds the responses to requests with a key, which are written in the same transaction as the request's work and purged after a
 * day. `part` is 0 for the request itself, or the position of a lesson in a series. An erasure clears hash and body but keeps the
 * row: the request must not be executed a second time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table idempotency_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  part integer not null,
  request_hash bytea,
  body text,
  at timestamptz not null,
  primary key (tenant_id, user_id, key, part))`)
    .execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * What a request with a key has been answered: written with what the request makes, in the same transaction, and purged
 * after a day. `part` is 0 for the request itself, and the position of a lesson that was booked for a series. An erasure
 * takes hash and body, and leaves the row: the request is not to be done a second time.
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

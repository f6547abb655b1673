import { type Kysely, sql } from 'kysely'

/**
 * A school is changed with `If-Match`, like its people, and proposes working hours to new instructors. They are `json`, not
 * `jsonb`, which would give the names another order: what is compared with what a client sends stays as it was stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table tenants add column version integer not null default 1',
  `alter table tenants add column default_availability_windows json not null default '[]'`,
]

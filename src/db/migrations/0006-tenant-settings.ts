import { type Kysely, sql } from 'kysely'

/**
 * Adds a school's version, for `If-Match`, and its default working hours for new instructors. They are `json`, since `jsonb`
 * would reorder the names, and stored hours are compared with a client's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table tenants add column version integer not null default 1',
  `alter table tenants add column default_availability_windows json not null default '[]'`,
]

import { type Kysely, sql } from 'kysely'

/**
 * When a lesson really was, and what was practised in it; and what instructors ask the office for. `windows` is `json`, not
 * `jsonb`, which would give the names another order. A request that waits is looked for by every clerk's page: few do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table appointments
     add column actual_start_at timestamp,
     add column actual_end_at timestamp,
     add column practised text,
     add constraint appointments_actual_check check (
       (actual_start_at is null) = (actual_end_at is null)
       and isfinite(actual_start_at) and isfinite(actual_end_at)
       and actual_start_at < actual_end_at and actual_end_at <= actual_start_at + interval '24 hours')`,
]

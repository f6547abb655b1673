import { type Kysely, sql } from 'kysely'

/** Adds the id of a series, by which lessons that were booked together are listed and cancelled together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table appointments add column series_id uuid',
  'create index appointments_of_series on appointments (tenant_id, series_id, start_at, id) where series_id is not null',
]

import { type Kysely, sql } from 'kysely'

/** Adds the set that a change undoes, and indexes to find changes by their own set and by the undone one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table changes add column undoes uuid',
  'create index changes_of_set on changes (tenant_id, set_id)',
  'create index changes_undoing_set on changes (tenant_id, undoes) where undoes is not null',
]

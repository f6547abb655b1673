import { type Kysely, sql } from 'kysely'

/** Adds the number of an instructor, and whether the law on breaks applies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instructors add column number text,
    add column employment text not null default 'employee'`.execute(db)
  await sql`alter table instructors add constraint instructors_employment_check
    check (employment in ('employee', 'owner'))`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Lets a school allow its instructors to book. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column instructors_may text not null default 'nothing'
    constraint tenants_instructors_may_check check (instructors_may in ('nothing', 'own_students', 'any_student'))`.execute(
    db,
  )
}

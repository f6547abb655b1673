import { type Kysely, sql } from 'kysely'

/**
 * Deletes links that have ended but are still there: of inactive instructors, of instructors whose logins are all disabled, and of
 * deleted students. They would open again with the next login, or when the person comes back. The users are on the coordinator of a
 * cluster, the links on its workers: a statement for each.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    instructor_id: string
  }>`select instructor_id from users where instructor_id is not null
    group by instructor_id having bool_and(disabled_at is not null)`.execute(db)
  const ids = rows.map(({ instructor_id }) => instructor_id)
  await sql`delete from links where instructor_id = any(${ids}::uuid[])`.execute(db)
  await sql`delete from links using instructors where instructors.tenant_id = links.tenant_id
    and instructors.id = links.instructor_id and not instructors.active`.execute(db)
  await sql`delete from links using students where students.tenant_id = links.tenant_id
    and students.id = links.student_id and students.deleted_at is not null`.execute(db)
}

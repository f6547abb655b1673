import { type Kysely, sql } from 'kysely'

/**
 * Deletes links that have ended but still exist: of inactive instructors, of instructors whose logins are all disabled, and of
 * deleted students. They would work again after the next login or if the person returns. In a cluster, users are on the
 * coordinator and links on workers, hence separate statements.
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

import { type Kysely, sql } from 'kysely'

/** Adds the index by which a template that is no longer valid is kept in the lists while an enrolment has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index enrolments_by_template on enrolments (tenant_id, template_id)
        where (outcome is null or is_current) and deleted_at is null`,
    )
    .execute(db)
}

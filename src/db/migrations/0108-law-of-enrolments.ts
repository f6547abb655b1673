import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Gives enrolments the law of their templates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table enrolments add column law text').execute(db)
  await fillLawOfEnrolments(db)
}

export async function fillLawOfEnrolments(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`enrolment.tenant_id = ${tenantId}`
  await sql`update enrolments enrolment set law = template.law from license_class_templates template
    where ${where} and template.tenant_id = enrolment.tenant_id and template.id = enrolment.template_id
      and enrolment.law is null and template.law is not null`.execute(db)
}

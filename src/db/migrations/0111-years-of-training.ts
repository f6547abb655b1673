import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Adds the years after which theory no longer counts toward a later training; null if it never expires. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table license_class_templates add column training_years smallint`.execute(db)
  await fillTrainingYears(db)
}

export async function fillTrainingYears(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const school = tenantId === undefined ? sql`true` : sql`tenant.id = ${tenantId}`
  await sql`update license_class_templates template set training_years = 2, updated_at = now() from tenants tenant
    where ${school} and template.tenant_id = tenant.id and tenant.country = 'DE'
      and template.training_years is null`.execute(db)
}

import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/** Adds the former names of lesson types, according to the log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lesson_types add column former_names text[] not null default '{}'`.execute(db)
  await fillFormerNames(db)
}

export async function fillFormerNames(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  await sql`update lesson_types set former_names = former.names
    from (select tenant_id, resource_id, array_agg(distinct before->>'name') as names from changes
      where resource = 'lesson_type' and before->>'name' is not null and ${where}
      group by tenant_id, resource_id) former
    where former.tenant_id = lesson_types.tenant_id and former.resource_id = lesson_types.id`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Finds what waits of a resource: each delivery asks whether an earlier one does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_deliveries_of_resource
    on webhook_deliveries (tenant_id, webhook_id, resource_id, sequence) where state = 'waiting'`.execute(db)
}

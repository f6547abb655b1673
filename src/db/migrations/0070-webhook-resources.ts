import { type Kysely, sql } from 'kysely'

/** Adds an index for the waiting deliveries of a resource: each checks whether an earlier one is waiting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_deliveries_of_resource
    on webhook_deliveries (tenant_id, webhook_id, resource_id, sequence) where state = 'waiting'`.execute(db)
}

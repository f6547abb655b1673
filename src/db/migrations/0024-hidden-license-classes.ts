import { type Kysely, sql } from 'kysely'

/** Lets a school hide licence classes of its country's pack that it does not teach. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column hidden_license_classes text[] not null default '{}'`.execute(db)
}

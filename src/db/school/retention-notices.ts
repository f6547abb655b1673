import { sql } from 'kysely'
import type { RetentionNotice } from '../../contract/retention.ts'
import type { Database } from '../schema/tables.ts'

/** Returns the schools without a notice of the month that it is there. */
export async function tenantsWithoutNotice(db: Database, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from tenants where retention_notice is null
    or retention_notice ->> 'month' < to_char(${now}::timestamptz at time zone timezone, 'YYYY-MM')
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stores the notice of a school unless there is one of the month. */
export async function storeRetentionNotice(
  db: Database,
  tenantId: string,
  notice: RetentionNotice,
): Promise<void> {
  await sql`update tenants set retention_notice = ${JSON.stringify(notice)}::json where id = ${tenantId}
    and (retention_notice is null or retention_notice ->> 'month' < ${notice.month})`.execute(db)
}

/** Returns the newest notice of a school of the last days. */
export async function findRetentionNotice(
  db: Database,
  tenantId: string,
  days: number,
): Promise<RetentionNotice | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('retention_notice')
    .where('id', '=', tenantId)
    .where(
      sql<boolean>`(retention_notice ->> 'at')::timestamptz > now() - make_interval(days => ${days}::integer)`,
    )
    .executeTakeFirst()
  return row?.retention_notice ?? undefined
}

import { sql } from 'kysely'
import type { Database, Transaction } from '../schema/tables.ts'

/** The maximum of devices per student; another one replaces the oldest. */
export const MAX_DEVICES = 5

/** A device's address at its push service, with the keys that its browser made. */
export type PushSubscription = {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export async function listPushSubscriptions(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<readonly PushSubscription[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .orderBy('created_at', 'desc')
    .orderBy('endpoint')
    .execute()
}

/** Adds or updates a device of a locked student and deletes the oldest ones beyond the limit. */
export async function putPushSubscription(
  db: Transaction,
  tenantId: string,
  studentId: string,
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<void> {
  await sql`insert into push_subscriptions (tenant_id, student_id, endpoint, p256dh, auth, created_at)
    values (${tenantId}, ${studentId}, ${endpoint}, ${p256dh}, ${auth}, clock_timestamp())
    on conflict (tenant_id, student_id, endpoint)
    do update set p256dh = excluded.p256dh, auth = excluded.auth`.execute(db)
  await sql`delete from push_subscriptions where tenant_id = ${tenantId} and student_id = ${studentId}
    and endpoint in (select endpoint from push_subscriptions
      where tenant_id = ${tenantId} and student_id = ${studentId} and endpoint <> ${endpoint}
      order by created_at desc, endpoint offset ${MAX_DEVICES - 1})`.execute(db)
}

export async function deletePushSubscriptions(
  db: Database,
  tenantId: string,
  studentId: string,
  endpoints: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .where(sql<boolean>`endpoint = any(${endpoints}::text[])`)
    .execute()
}

export async function deletePushSubscriptionsOf(
  db: Transaction,
  tenantId: string,
  studentId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

import { sql } from 'kysely'
import type { Webhook } from '../../contract/webhook.ts'
import { type Claim, isClaimed } from '../claim-order.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { changeColumns } from '../log/change-log.ts'
import { utc, utcText } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import type { ClaimedWebhook } from './webhook-claims.ts'

const KEPT_DAYS = 30

export function listDeliveries(db: Database, tenantId: string, webhookId: string): JsonList {
  return deliveries(db, tenantId, { webhookId })
}

const deliveries = jsonList(
  {
    from: 'webhook_deliveries',
    orderedBy: { created_at: 'timestamptz', id: 'uuid' },
    isNewestFirst: true,
    versionedBy: sql`concat_ws(' ', state, attempts, round, status, error)`,
  },
  (db, { tenantId, webhookId }: Parameters<{ tenantId: string; webhookId: string }>) =>
    db
      .selectFrom('webhook_deliveries')
      .select([
        'id',
        'type',
        'resource_id',
        'state',
        'attempts',
        'status',
        'error',
        utcText(sql`case when state = 'waiting' then next_attempt_at end`).as('next_attempt_at'),
        utc('changed_at').as('changed_at'),
        utc('created_at').as('created_at'),
        utc('finished_at').as('finished_at'),
      ])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`webhook_id = ${webhookId}::uuid`),
)

export type QueuedDelivery = {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly resource_id: string
}

/** Queues changes in their order. One that was queued in an earlier round is queued again. */
export async function queueDeliveries(
  db: Database,
  { tenant_id, id, round }: Pick<ClaimedWebhook, 'tenant_id' | 'id' | 'round'>,
  queued: readonly QueuedDelivery[],
): Promise<void> {
  await sql`
    insert into webhook_deliveries as delivery (tenant_id, webhook_id, id, changed_at, type, resource_id, round)
    select ${tenant_id}, ${id}, (change ->> 'id')::uuid, (change ->> 'at')::timestamptz, change ->> 'type',
      (change ->> 'resource_id')::uuid, ${round}
    from json_array_elements(${JSON.stringify(queued)}::json) with ordinality as queued (change, position)
    order by position
    on conflict (tenant_id, webhook_id, id) do update set round = excluded.round, sequence = default,
      state = 'waiting', attempts = 0, next_attempt_at = now(), failing_since = null, status = null, error = null,
      created_at = excluded.created_at, finished_at = null
    where delivery.round < excluded.round`.execute(db)
}

/** Deletes waiting deliveries of events to which a locked webhook is no longer subscribed. */
export async function dropUnsubscribed(
  db: Transaction,
  tenantId: string,
  { id, events }: Pick<Webhook, 'id' | 'events'>,
): Promise<void> {
  if (events.includes('*')) return
  await sql`delete from webhook_deliveries where tenant_id = ${tenantId} and webhook_id = ${id} and state = 'waiting'
    and not (array[type, split_part(type, '.', 1) || '.*'] && ${events}::text[])`.execute(db)
}

/** The maximum of queued deliveries that have not failed; later changes stay in the log. */
const MAX_READY = 1_000

const MAX_WAITING = 5_000

/** Whether enough deliveries are queued. Failed ones, and those behind them, count only toward `MAX_WAITING`. */
export async function isQueueFull(
  db: Database,
  { tenant_id, id }: Pick<ClaimedWebhook, 'tenant_id' | 'id'>,
): Promise<boolean> {
  const { rows } = await sql<{ is_full: boolean }>`
    select count(*) filter (where not has_failed) >= ${MAX_READY} or count(*) >= ${MAX_WAITING} as is_full
    from (select bool_or(attempts > 0) over (partition by resource_id) as has_failed from webhook_deliveries
      where tenant_id = ${tenant_id} and webhook_id = ${id} and state = 'waiting') waiting`.execute(db)
  return rows[0]?.is_full ?? false
}

export type DueDelivery = {
  readonly id: string
  readonly type: string
  readonly attempts: number
  readonly round: number
  readonly changed_at: string
  readonly change: string | null
}

/** Returns the next due delivery that is the earliest of its resource, failed ones last. Undefined also if the claim is lost. */
export async function nextDelivery(db: Database, claim: Claim): Promise<DueDelivery | undefined> {
  const { tenant_id, id } = claim
  const { rows } = await sql<Omit<DueDelivery, 'change'>>`
    select id, type, attempts, round, ${utc('changed_at')} as changed_at
    from (select distinct on (resource_id) * from webhook_deliveries
      where tenant_id = ${tenant_id} and webhook_id = ${id} and state = 'waiting' order by resource_id, sequence) earliest
    where next_attempt_at <= now() and exists (select from webhooks where ${isClaimed(claim)})
    order by attempts, sequence limit 1`.execute(db)
  const [delivery] = rows
  return delivery && { ...delivery, change: await findChange(db, tenant_id, delivery) }
}

/** Reads the change in a separate query: in a cluster, the log is on another node. */
async function findChange(
  db: Database,
  tenantId: string,
  { id, changed_at }: Pick<DueDelivery, 'id' | 'changed_at'>,
): Promise<string | null> {
  const change = db
    .selectFrom('changes')
    .select(changeColumns)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`at = ${changed_at}::timestamptz`)
    .where('id', '=', id)
  const { rows } = await sql<{
    json: string
  }>`select row_to_json(change)::text as json from ${change} change`.execute(db)
  return rows[0]?.json ?? null
}

export type WebhookResponse = { readonly status: number | null; readonly error: string | null }

type Attempted = {
  readonly webhook: Pick<ClaimedWebhook, 'tenant_id' | 'id'>
  readonly delivery: Pick<DueDelivery, 'id' | 'attempts' | 'round'>
}

export async function finishDelivery(
  db: Database,
  attempted: Attempted,
  answer: WebhookResponse,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      ...answer,
      state: 'delivered',
      attempts: attempted.delivery.attempts + 1,
      failing_since: null,
      finished_at: sql<Date>`now()`,
    })
    .where(isOf(attempted))
    .execute()
}

/** Records a failure and when to retry. Returns the seconds since the delivery began to fail. */
export async function postponeDelivery(
  db: Database,
  attempted: Attempted,
  { status, error, seconds }: WebhookResponse & { readonly seconds: number },
): Promise<number> {
  const { rows } = await sql<{ failing: number }>`
    update webhook_deliveries set status = ${status}, error = ${error}, attempts = ${attempted.delivery.attempts + 1},
      next_attempt_at = now() + make_interval(secs => ${seconds}), failing_since = coalesce(failing_since, now())
    where ${isOf(attempted)}
    returning extract(epoch from now() - failing_since)::float as failing`.execute(db)
  return rows[0]?.failing ?? 0
}

/** Gives up a delivery if others of its webhook were delivered after it began to fail. */
export async function giveUpDelivery(db: Database, attempted: Attempted): Promise<void> {
  const { tenant_id, id } = attempted.webhook
  await sql`update webhook_deliveries failing set state = 'failed', failing_since = null, finished_at = now()
    where ${isOf(attempted)} and exists (select from webhook_deliveries other
      where other.tenant_id = ${tenant_id} and other.webhook_id = ${id} and other.state = 'delivered'
        and other.finished_at > failing.failing_since)`.execute(db)
}

function isOf({ webhook, delivery }: Attempted) {
  return sql<boolean>`tenant_id = ${webhook.tenant_id} and webhook_id = ${webhook.id} and id = ${delivery.id}
    and round = ${delivery.round} and state = 'waiting'`
}

export async function purgeDeliveries(db: Database): Promise<void> {
  await sql`delete from webhook_deliveries where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  )
}

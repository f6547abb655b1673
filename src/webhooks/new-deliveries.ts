import type { Change } from '../contract/change.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { followChanges, isScrubbedSince } from '../db/log/follow-changes.ts'
import type { Position } from '../db/log/position.ts'
import { type ClaimedWebhook, moveWebhook } from '../db/webhooks/webhook-claims.ts'
import { isQueueFull, type QueuedDelivery, queueDeliveries } from '../db/webhooks/webhook-deliveries.ts'
import { isSubscribed } from './events.ts'

export type NewDeliveries = {
  readonly queued: readonly QueuedDelivery[]
  readonly position: Position
  readonly isAhead: boolean
}

export async function readNewDeliveries(db: DatabasePool, webhook: ClaimedWebhook): Promise<NewDeliveries> {
  const { tenant_id: tenantId, position: before, events } = webhook
  if (await isQueueFull(db, webhook)) return { queued: [], position: before, isAhead: false }
  const { json, position } = await followChanges(db, { tenantId }, before)
  const changes = JSON.parse(`[${json}]`) as Change[]
  const queued = changes
    .filter((change) => !isScrubbedSince(before, change))
    .map(({ id, at, resource, resource_id, action }) => ({
      id,
      at,
      resource_id,
      type: `${resource}.${action}`,
    }))
    .filter(({ type }) => isSubscribed(events, type))
  return { queued, position, isAhead: changes.length > 0 || position.server !== before.server }
}

export async function queueNewDeliveries(
  database: DatabasePool,
  webhook: ClaimedWebhook,
  { queued, position }: NewDeliveries,
  seconds: number,
): Promise<boolean> {
  if (queued.length === 0) return moveWebhook(database, webhook, { position, seconds })
  return inTransaction(database, async (db) => {
    if (!(await moveWebhook(db, webhook, { position, seconds }))) return false
    await queueDeliveries(db, webhook, queued)
    return true
  })
}

import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Webhook } from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { requireTenant } from '../db/tenants.ts'
import { type ClaimedWebhook, lockWebhook, updateWebhook } from '../db/webhooks.ts'

/** Disables a webhook in the name of the service. */
export async function disableWebhook(
  database: DatabasePool,
  { tenant_id, id }: Pick<ClaimedWebhook, 'tenant_id' | 'id'>,
  disabled_reason: Exclude<Webhook['disabled_reason'], null>,
): Promise<void> {
  const tenant = await requireTenant(database, tenant_id)
  const actor: Actor = {
    kind: 'system',
    id: null,
    name: 'webhooks',
    role: 'operator',
    instructor_id: null,
    tenant,
    now: new Date(),
    set_id: newId(),
  }
  await inTransaction(database, async (db) => {
    const stored = await lockWebhook(db, tenant_id, id)
    if (!stored || stored.disabled) return
    await updateWebhook(db, actor, { stored, next: { ...stored, disabled: true, disabled_reason } })
  })
}

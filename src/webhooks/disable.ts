import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Webhook } from '../contract/webhook.ts'
import type { Claim } from '../db/claim-order.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { holdsClaim } from '../db/webhooks/webhook-claims.ts'
import { lockWebhook, updateWebhook } from '../db/webhooks/webhooks.ts'

/** Disables a claimed webhook as the system actor. Returns false if the claim has been lost because the webhook changed. */
export async function disableWebhook(
  database: DatabasePool,
  claim: Claim,
  disabled_reason: Exclude<Webhook['disabled_reason'], null>,
): Promise<boolean> {
  const { tenant_id, id } = claim
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
  return inTransaction(database, async (db) => {
    const stored = await lockWebhook(db, tenant_id, id)
    if (!stored || !(await holdsClaim(db, claim))) return false
    await updateWebhook(db, actor, { stored, next: { ...stored, disabled: true, disabled_reason } })
    return true
  })
}

import { lockSession } from '../../auth/lock-session.ts'
import { newWebhookSecret, type WebhookSecrets } from '../../auth/webhook-secrets.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound } from '../../contract/problem.ts'
import {
  MAX_WEBHOOKS,
  type MadeWebhook,
  type NewWebhook,
  type Webhook,
  type WebhookChange,
} from '../../contract/webhook.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { currentPosition } from '../../db/log/follow-changes.ts'
import type { Position } from '../../db/log/position.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { dropUnsubscribed } from '../../db/webhooks/webhook-deliveries.ts'
import {
  countWebhooks,
  deleteWebhookRow,
  findSealedSecret,
  insertWebhook,
  lockWebhook,
  rewindWebhook,
  updateWebhook,
} from '../../db/webhooks/webhooks.ts'
import { deletion } from '../deletion.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'

const TOO_MANY = {
  pointer: '',
  code: 'too_many',
  detail: `A school has at most ${MAX_WEBHOOKS} webhooks.`,
} as const

type Adding = { readonly fields: NewWebhook; readonly secrets: WebhookSecrets }

/** Adds a webhook. Throws `invalid_request` if the school has too many. The response stored for retries has no secret. */
export async function addWebhook(
  database: DatabasePool,
  actor: Actor,
  { fields: { url, events = ['*'], disabled = false }, secrets }: Adding,
  key?: IdempotencyKey,
): Promise<Webhook> {
  const id = newId()
  const row = { id, url, events, disabled, sealed: secrets.seal(id, newWebhookSecret()) }
  return inTransaction(database, async (db, commitWith) => {
    // Read before the transaction has an id: a snapshot counts its own transaction as seen once a later one has ended.
    const position = await currentPosition(db)
    await lockTenant(db, actor.tenant.id)
    await lockSession(db, actor)
    if ((await countWebhooks(db, actor.tenant.id)) >= MAX_WEBHOOKS) throw invalidRequest([TOO_MANY])
    return commitOnce({ db, actor, commitWith }, key, insertWebhook(db, actor, { ...row, position }))
  })
}

/** Returns a new webhook with its secret. Throws `not_found` if it has been deleted since. */
export async function withSecret(
  database: DatabasePool,
  actor: Actor,
  webhook: Webhook,
  secrets: WebhookSecrets,
): Promise<MadeWebhook> {
  const sealed = await findSealedSecret(database, actor.tenant.id, webhook.id)
  const secret = sealed && secrets.open(webhook.id, sealed)
  if (secret === undefined) throw notFound()
  return { ...webhook, secret }
}

/** Changes a webhook. If enabled again, it continues from its position. Throws `not_found` and `stale`. */
export async function changeWebhook(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<WebhookChange>,
): Promise<Webhook> {
  return inTransaction(database, async (db) => {
    const stored = await requireWebhook(db, actor, id)
    requireExpected(isExpected, stored)
    const next = { ...stored, ...change }
    const isToggled = next.disabled !== stored.disabled
    const disabled_reason = isToggled ? null : stored.disabled_reason
    if (change.events) await dropUnsubscribed(db, actor.tenant.id, next)
    return updateWebhook(db, actor, { stored, next: { ...next, disabled_reason } })
  })
}

/** Deletes a webhook and its waiting deliveries. Throws `not_found` and `stale`. */
export const deleteWebhook = deletion(requireWebhook, deleteWebhookRow)

/** Sends the changes since a position again. Throws `not_found`. */
export async function replayWebhook(
  database: DatabasePool,
  actor: Actor,
  id: string,
  since: Position,
): Promise<Webhook> {
  return inTransaction(database, async (db) => {
    const stored = await requireWebhook(db, actor, id)
    await rewindWebhook(db, actor, id, since)
    return stored
  })
}

/** Locks a webhook and the session. Throws `not_found`. */
async function requireWebhook(db: Transaction, actor: Actor, id: string): Promise<Webhook> {
  const stored = await lockWebhook(db, actor.tenant.id, id)
  if (!stored) throw notFound()
  await lockSession(db, actor)
  return stored
}

import { newWebhookSecret, type WebhookSecrets } from '../auth/webhook-secrets.ts'
import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import {
  type MadeWebhook,
  MOST_WEBHOOKS,
  type NewWebhook,
  type Webhook,
  type WebhookChange,
} from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { currentPosition, type Position } from '../db/log/follow-changes.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { lockTenant } from '../db/tenants.ts'
import { dropUnsubscribed } from '../db/webhook-deliveries.ts'
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  lockWebhook,
  rewindWebhook,
  updateWebhook,
} from '../db/webhooks.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'

const TOO_MANY = {
  pointer: '',
  code: 'too_many',
  detail: `A school has at most ${MOST_WEBHOOKS} webhooks.`,
} as const

/** Adds a webhook that is sent everything from now on. Throws `invalid_request` if the school has too many. */
export async function addWebhook(
  database: DatabasePool,
  actor: Actor,
  { url, events = ['*'], disabled = false }: NewWebhook,
  secrets: WebhookSecrets,
): Promise<MadeWebhook> {
  const [id, secret] = [newId(), newWebhookSecret()]
  const row = { id, url, events, disabled, sealed: secrets.seal(id, secret) }
  const webhook = await inTransaction(database, async (db) => {
    await lockTenant(db, actor.tenant.id)
    if ((await countWebhooks(db, actor.tenant.id)) >= MOST_WEBHOOKS) throw invalidRequest([TOO_MANY])
    return insertWebhook(db, actor, { ...row, position: await currentPosition(db) })
  })
  return { ...webhook, secret }
}

/** Changes a webhook. Enabled again, it goes on where it stopped. Throws `not_found` and `stale`. */
export async function changeWebhook(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: { readonly change: WebhookChange; readonly isExpected: ExpectedVersion },
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

/** Deletes a webhook with what waits to be sent. Throws `not_found` and `stale`. */
export async function deleteWebhook(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const stored = await requireWebhook(db, actor, id)
    requireExpected(isExpected, stored)
    await deleteWebhookRow(db, actor, stored)
  })
}

/** Sends everything again that came after a position. Throws `not_found`. */
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

async function requireWebhook(db: Transaction, actor: Actor, id: string): Promise<Webhook> {
  const stored = await lockWebhook(db, actor.tenant.id, id)
  if (!stored) throw notFound()
  return stored
}

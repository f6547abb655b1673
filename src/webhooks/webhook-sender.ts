import type { WebhookSecrets } from '../auth/webhook-secrets.ts'
import { MESSAGE_EVENT } from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { requireTenant } from '../db/tenants.ts'
import { findMessageWebhook } from '../db/webhooks.ts'
import type { ChannelMessage } from '../domain/message-channels.ts'
import { dialledDigits } from '../domain/phone.ts'
import type { Addresses } from './addresses.ts'
import { failureIn, post, type RequestFailure } from './receiver.ts'

type Options = {
  readonly db: DatabasePool
  readonly secrets: WebhookSecrets
  readonly addresses: Addresses
}

/** Returns a function that sends signed messages to a school's webhook. It resolves with a failure or `no_webhook`, if any. */
export function webhookSenderFor({ db, secrets, addresses }: Options) {
  return async (
    tenantId: string,
    { id, created_at, to, ...message }: ChannelMessage,
    signal: AbortSignal,
  ): Promise<RequestFailure | 'no_webhook' | undefined> => {
    const [webhook, { country }] = await Promise.all([
      findMessageWebhook(db, tenantId),
      requireTenant(db, tenantId),
    ])
    const secret = webhook && secrets.open(webhook.id, webhook.secret)
    if (!webhook || secret === undefined) return 'no_webhook'
    const data = { id, to: numberOf(to, country), ...message }
    const body = JSON.stringify({ type: MESSAGE_EVENT, timestamp: created_at.toISOString(), data })
    return failureIn(await post({ url: webhook.url, id, body, secret }, addresses, signal))
  }
}

function numberOf(phone: string, country: string): string {
  return `+${dialledDigits(phone, country)}`
}

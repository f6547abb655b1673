import type { WebhookSecrets } from '../auth/webhook-secrets.ts'
import { MESSAGE_EVENT } from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { findMessageWebhook } from '../db/webhooks/webhooks.ts'
import { certainNumber } from '../domain/certain-phone.ts'
import type { ChannelMessage } from '../domain/message-channels.ts'
import type { Addresses } from './addresses.ts'
import { failureIn, post, type RequestFailure } from './receiver.ts'

type Options = {
  readonly db: DatabasePool
  readonly secrets: WebhookSecrets
  readonly addresses: Addresses
}

/** The number was changed since the message was decided on. */
const UNCERTAIN: RequestFailure = { reason: 'uncertain number', isFinal: true, isServer: false }

/** Returns a function that sends signed messages to a school's webhook. It resolves with a failure or `no_webhook`, if any. */
export function webhookSenderFor({ db, secrets, addresses }: Options) {
  return async (
    tenantId: string,
    { id, send_at, to, ...message }: ChannelMessage,
    signal: AbortSignal,
  ): Promise<RequestFailure | 'no_webhook' | undefined> => {
    const [webhook, { country }] = await Promise.all([
      findMessageWebhook(db, tenantId),
      requireTenant(db, tenantId),
    ])
    const secret = webhook && secrets.open(webhook.id, webhook.secret)
    if (!webhook || secret === undefined) return 'no_webhook'
    const number = certainNumber(to, country)
    if (number === undefined) return UNCERTAIN
    const data = { id, to: number, ...message }
    const body = JSON.stringify({ type: MESSAGE_EVENT, timestamp: send_at.toISOString(), data })
    return failureIn(await post({ url: webhook.url, id, body, secret }, addresses, signal))
  }
}

import type { WebhookSecrets } from '../auth/webhook-secrets.ts'
import { MESSAGE_EVENT } from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { requireTenant } from '../db/tenants.ts'
import { findMessageWebhook } from '../db/webhooks.ts'
import type { ChannelMessage } from '../domain/message-channels.ts'
import { dialledDigits } from '../domain/phone.ts'
import type { Addresses } from './addresses.ts'
import { post } from './receiver.ts'

type Failure = { readonly reason: string; readonly isFinal: boolean; readonly isServer: false }

type Office = {
  readonly db: DatabasePool
  readonly secrets: WebhookSecrets
  readonly addresses: Addresses
}

const TRIED_AGAIN: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Returns a function that hands messages to the webhook of a school that sends them, signed as every webhook. It resolves with a
 * failure, or with `no_webhook` if the school has none that is enabled.
 */
export function handOverWith({ db, secrets, addresses }: Office) {
  return async (
    tenantId: string,
    { id, created_at, to, ...message }: ChannelMessage,
    signal: AbortSignal,
  ): Promise<Failure | 'no_webhook' | undefined> => {
    const [webhook, { country }] = await Promise.all([
      findMessageWebhook(db, tenantId),
      requireTenant(db, tenantId),
    ])
    const secret = webhook && secrets.open(webhook.id, webhook.secret)
    if (!webhook || secret === undefined) return 'no_webhook'
    const data = { id, to: numberOf(to, country), ...message }
    const body = JSON.stringify({ type: MESSAGE_EVENT, timestamp: created_at.toISOString(), data })
    const { status, error } = await post({ url: webhook.url, id, body, secret }, addresses, signal)
    if (status !== null && status >= 200 && status < 300) return undefined
    const isFinal = status !== null && status >= 400 && status < 500 && !TRIED_AGAIN.has(status)
    return { reason: error ?? `HTTP ${status}`, isFinal, isServer: false }
  }
}

function numberOf(phone: string, country: string): string {
  return `+${dialledDigits(phone, country)}`
}

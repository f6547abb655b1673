import { createHmac, randomBytes } from 'node:crypto'
import { Seals } from './seals.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 32

/** Returns a new secret of 256 random bits in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString('base64')
}

/** The message to sign: `at` is the time of sending, in seconds since 1970. */
export type SignedMessage = { readonly id: string; readonly at: number; readonly body: string }

/** Returns the `webhook-signature` of a message (Standard Webhooks 1.0). */
export function signatureOf({ id, at, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** Seals webhook secrets for the database, each for its own webhook. */
export class WebhookSecrets extends Seals {
  constructor(jwtSecret: string) {
    super(jwtSecret, 'fahrplan webhook secret')
  }
}

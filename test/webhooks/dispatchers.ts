import { WebhookSecrets } from '../../src/auth/webhook-secrets.ts'
import type { WebhookIntervals } from '../../src/webhooks/intervals.ts'
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.ts'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row, School } from '../support/factory.ts'
import { type Hiring, useOutbox } from '../support/use-outbox.ts'

/** Intervals that look often and retry at once. */
const HASTE: WebhookIntervals = {
  look: 50,
  send: 30_000,
  turn: 15_000,
  firstPause: 1,
  longestPause: 1,
  patience: 3_600_000,
}

/** Returns functions that start dispatchers and receivers. Each test begins without webhooks, and both stop at its end. */
export function useWebhookDispatchers(service: () => TestService) {
  return useOutbox(service, {
    table: 'webhooks',
    haste: HASTE,
    open: ({ jwtSecret, ...settings }, _: Hiring<WebhookIntervals>) =>
      new WebhookDispatcher({ ...settings, db: service().db, secrets: new WebhookSecrets(jwtSecret) }),
  })
}

export async function hook(
  { client }: School,
  url: string,
  fields: object = {},
): Promise<Row & { readonly secret: string }> {
  return must(201, await client.post('/webhooks', { url, ...fields }))
}

/** Returns the deliveries of a webhook, oldest first. */
export async function deliveriesOf({ client }: School, { id }: Row): Promise<Row[]> {
  return must(200, await client.get(`/webhooks/${id}/deliveries`)).toReversed()
}

export async function hookOf({ client }: School, { id }: Row): Promise<Row | undefined> {
  return must(200, await client.get('/webhooks')).find((one: Row) => one.id === id)
}

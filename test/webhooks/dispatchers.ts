import { type BaseLogger, pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { WebhookSecrets } from '../../src/auth/webhook-secrets.ts'
import { Addresses } from '../../src/webhooks/addresses.ts'
import type { WebhookIntervals } from '../../src/webhooks/intervals.ts'
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.ts'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import type { Row, School } from '../support/factory.ts'
import { type Receiver, startReceiver, trustReceivers } from '../support/receiver.ts'

/** The network of the tests' receivers. */
export const HERE = ['127.0.0.0/8']

/** Intervals that look often and retry at once. */
const HASTE: WebhookIntervals = {
  look: 50,
  send: 30_000,
  turn: 15_000,
  firstPause: 1,
  longestPause: 1,
  patience: 3_600_000,
}

type Hiring = {
  readonly intervals?: Partial<WebhookIntervals>
  readonly addresses?: Addresses
  readonly jwtSecret?: string
  readonly log?: BaseLogger
}

/** Returns functions that start dispatchers and receivers. Each test begins without webhooks, and both stop at its end. */
export function useWebhookDispatchers(service: () => TestService) {
  const hired: WebhookDispatcher[] = []
  const receivers: Receiver[] = []
  trustReceivers()
  beforeEach(async () => {
    await service().db.deleteFrom('webhooks').execute()
  })
  afterEach(async () => {
    await Promise.all(hired.splice(0).map((webhookDispatcher) => webhookDispatcher.stop()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
    await service().db.deleteFrom('webhooks').execute()
  })
  return {
    hire: ({
      intervals = {},
      addresses = new Addresses(HERE),
      jwtSecret = JWT_SECRET,
      log = pino({ level: 'silent' }),
    }: Hiring = {}): WebhookDispatcher => {
      const secrets = new WebhookSecrets(jwtSecret)
      const webhookDispatcher = new WebhookDispatcher({
        db: service().db,
        log,
        secrets,
        addresses,
        intervals: { ...HASTE, ...intervals },
      })
      hired.push(webhookDispatcher)
      return webhookDispatcher
    },
    receive: async (...judge: Parameters<typeof startReceiver>): Promise<Receiver> => {
      const receiver = await startReceiver(...judge)
      receivers.push(receiver)
      return receiver
    },
  }
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

import { pino } from 'pino'
import { WebhookSecrets } from '../../src/auth/webhook-secrets.ts'
import { Addresses } from '../../src/webhooks/addresses.ts'
import { WEBHOOK_INTERVALS } from '../../src/webhooks/intervals.ts'
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.ts'
import type { Answer } from '../support/client.ts'
import { must } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import type { Row } from '../support/factory.ts'
import { startReceiver, trustReceivers } from '../support/receiver.ts'
import type { Case, PlannedOffice } from './plan-cases.ts'

/** The statements on webhooks, of requests and of the webhook dispatcher. */
export const casesOfWebhooks: readonly Case[] = [
  {
    name: 'the webhooks of the school',
    status: 200,
    reads: 'webhooks',
    by: 'webhooks_pkey',
    ask: ({ school }) => school.client.get('/webhooks'),
  },
  {
    name: 'the deliveries of a webhook',
    status: 200,
    reads: 'webhook_deliveries',
    by: 'webhook_deliveries_listed',
    ask: async (office) => office.school.client.get(`${await pathOfNew(office)}/deliveries?limit=50`),
  },
  {
    name: 'a change of the events of a webhook',
    status: 200,
    reads: 'webhook_deliveries',
    ask: async (office) => office.school.client.patch(await pathOfNew(office), { events: ['student.*'] }),
  },
  {
    name: 'a replay',
    status: 200,
    reads: 'webhooks',
    ask: async (office) => {
      const { cursor } = must(200, await office.school.client.get('/changes/since'))
      return office.school.client.post(`${await pathOfNew(office)}/replay`, { since: cursor })
    },
  },
  ...['webhooks_due', 'webhook_deliveries_of_resource'].map((by) => ({
    name: `the turn of a webhook, by ${by}`,
    status: 200,
    reads: 'webhook_deliveries',
    by,
    ask: serve,
  })),
]

async function pathOfNew({ school, forget }: PlannedOffice): Promise<string> {
  const made: Row = must(201, await school.client.post('/webhooks', { url: 'https://203.0.113.7/' }))
  forget()
  return `/webhooks/${made.id}`
}

/** Delivers two messages: the receiver accepts the first and fails the second, which is given up. Lists the webhooks. */
async function serve(office: PlannedOffice): Promise<Answer> {
  const { service, school } = office
  const { db } = service
  trustReceivers()
  let count = 0
  const receiver = await startReceiver(() => {
    count += 1
    return { status: count === 1 ? 204 : 500 }
  })
  await db.updateTable('webhooks').set({ disabled_at: new Date() }).execute()
  const path = await pathOfNew(office)
  await db.updateTable('webhooks').set({ url: receiver.url }).where('disabled_at', 'is', null).execute()
  await school.student()
  office.forget()
  const secrets = new WebhookSecrets(JWT_SECRET)
  const addresses = new Addresses(['127.0.0.0/8'])
  const log = pino({ level: 'silent' })
  const webhookDispatcher = new WebhookDispatcher({
    db,
    log,
    secrets,
    addresses,
    intervals: { ...WEBHOOK_INTERVALS, look: 100, patience: 0 },
  })
  await receiver.receives(2)
  await webhookDispatcher.stop()
  await receiver.close()
  return school.client.get(path.replace(/\/[^/]+$/, ''))
}

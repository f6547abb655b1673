import { pino } from 'pino'
import { WebhookSecrets } from '../../src/auth/webhook-secrets.ts'
import { Addresses } from '../../src/webhooks/addresses.ts'
import { WEBHOOK_INTERVALS } from '../../src/webhooks/intervals.ts'
import { WebhookDispatcher } from '../../src/webhooks/webhook-dispatcher.ts'
import { type Answer, must } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import type { Row, School } from '../support/factory.ts'
import type { Office } from '../support/office.ts'
import { startReceiver, trustReceivers } from '../support/receiver.ts'
import type { Case, PlannedOffice } from './plan-cases.ts'

/** The statements on the log of changes. */
export const casesOfChanges: readonly Case[] = [
  ...histories({
    appointment: ({ lessons }) => `/appointments/${lessons[6]}`,
    student: ({ students }) => `/students/${students[6]}`,
    instructor: ({ instructors }) => `/instructors/${instructors[6]}`,
  }),
  ...['changes_of_set', 'changes_undoing_set'].map((by) => ({
    name: `an undo, by ${by}`,
    status: 200,
    reads: 'changes',
    by,
    ask: undoOfLast,
  })),
  {
    name: 'an undo of a lesson',
    status: 200,
    reads: 'appointments',
    by: 'appointments_pkey',
    ask: async ({ school: { client }, lessons, forget }) => {
      const changed = await client.patch(`/appointments/${lessons[8]}`, { notes: crypto.randomUUID() })
      forget()
      return client.post(`/changes/sets/${changed.headers.get('x-request-id')}/undo`)
    },
  },
  ...changeLists([
    ['?limit=10', 'changes_pkey'],
    ['?limit=1000&cursor=CURSOR', 'changes_pkey'],
    ['?resource=appointment&limit=10', 'changes_pkey'],
    ['?actor_id=USER&limit=10', 'changes_pkey'],
    ['?from=2026-01-01&to=2026-01-31', 'changes_pkey'],
    ['?resource=student&actor_id=USER&from=2026-01-01&to=2026-01-31&limit=10', 'changes_pkey'],
    ['?resource_id=LESSON', 'changes_of_resource'],
    ['?resource=appointment&resource_id=LESSON&actor_id=USER&limit=10', 'changes_of_resource'],
  ]),
  {
    name: 'what a follower has not seen',
    status: 200,
    reads: 'changes',
    by: 'changes_by_transaction',
    ask: async ({ school, forget }) => {
      const { cursor } = (await school.client.get('/changes/since')).body
      forget()
      return school.client.get(`/changes/since?cursor=${cursor}`)
    },
  },
  {
    name: 'the next piece of what a follower has not seen',
    status: 200,
    reads: 'changes',
    by: 'changes_by_transaction',
    ask: ({ school }) =>
      followFrom(school, ({ server, at, seen }) => [server, at, seen, at, school.user.id, server, at, seen]),
  },
  {
    name: 'what a follower has not seen since before a restart',
    status: 200,
    reads: 'changes',
    by: 'changes_pkey',
    ask: ({ school }) => followFrom(school, ({ at, seen }) => ['2020-01-01T00:00:00.000Z', at, seen]),
  },
]

function histories(paths: Readonly<Record<string, (office: Office) => string>>): readonly Case[] {
  return Object.entries(paths).map(([resource, pathOf]) => ({
    name: `the history of one ${resource}`,
    status: 200,
    reads: 'changes',
    by: 'changes_of_resource',
    ask: (office) => office.school.client.get(`${pathOf(office)}/history`),
  }))
}

/** Returns a case for each query: a page of changes, read by the index that has its rows in the order of the list. */
function changeLists(lists: readonly (readonly [query: string, by: string])[]): readonly Case[] {
  return lists.map(([query, by]) => ({
    name: `the changes ${query}`,
    status: 200,
    reads: 'changes',
    by,
    ask: ({ school, lessons }) => {
      const cursor = encoded(['2026-01-31T08:00:00.000Z', school.user.id])
      const asked = query.replace('USER', school.user.id).replace('LESSON', lessons[7] ?? '')
      return school.client.get(`/changes${asked.replace('CURSOR', cursor)}`)
    },
  }))
}

/** Undoes a change of a student that was just made. */
async function undoOfLast({ school, students, forget }: PlannedOffice): Promise<Answer> {
  const { client } = school
  const changed = await client.patch(`/students/${students[6]}`, { notes: crypto.randomUUID() })
  forget()
  return client.post(`/changes/sets/${changed.headers.get('x-request-id')}/undo`)
}

type Mark = { readonly server: string; readonly at: string; readonly seen: string }

/** Follows the changes from a cursor that `valuesOf` makes from the current one. */
async function followFrom({ client }: School, valuesOf: (now: Mark) => readonly string[]): Promise<Answer> {
  const { cursor } = (await client.get('/changes/since')).body
  const [server, at, seen] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return client.get(`/changes/since?cursor=${encoded(valuesOf({ server, at, seen }))}`)
}

function encoded(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

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

import type { PushKeys } from '../auth/push-keys.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  deletePushSubscriptions,
  listPushSubscriptions,
  type PushSubscription,
} from '../db/messages/push-subscriptions.ts'
import { readdressMessagesOf } from '../db/messages/waiting-messages.ts'
import type { WebhookResponse } from '../db/webhooks/webhook-deliveries.ts'
import type { PushMessage } from '../domain/message-channels.ts'
import type { Addresses } from './addresses.ts'
import { failureIn, type Outgoing, type RequestFailure, sendTo } from './receiver.ts'

/** The time limit for one student's devices, so that they do not delay the messages of others. */
const PUSH_MS = 10_000

/** The limits of a message: push services accept at most 4 KB, including encryption. */
const LONGEST_TITLE = 200
const LONGEST_TEXT = 1_000

const GONE: ReadonlySet<number | null> = new Set([404, 410])

type Options = {
  readonly db: DatabasePool
  readonly addresses: Addresses
  readonly keys: PushKeys | undefined
}

const OFF: RequestFailure = { reason: 'push is off', isFinal: true, isServer: false }

/** Returns a function that sends messages to a student's devices and deletes lost ones. It resolves with a failure, if any. */
export function pushSenderFor({ db, addresses, keys }: Options) {
  return async (
    tenantId: string,
    message: PushMessage,
    signal: AbortSignal,
  ): Promise<RequestFailure | 'no_device' | undefined> => {
    if (!keys) return OFF
    const { student_id } = message
    const devices = await listPushSubscriptions(db, tenantId, student_id)
    const end = AbortSignal.any([AbortSignal.timeout(PUSH_MS), signal])
    const answers = await Promise.all(
      devices.map(async (device) => sendToDevice(await outgoing(device, message, keys), addresses, end)),
    )
    const gone = devices.filter((_, at) => isGone(answers[at]))
    if (gone.length > 0) await forgetDevices(db, tenantId, student_id, gone)
    const failures = answers.filter((answer) => !isGone(answer)).map(failureIn)
    if (failures.length === 0) return 'no_device'
    if (failures.includes(undefined)) return undefined
    return failures.find((failure) => !failure?.isFinal) ?? failures[0]
  }
}

function isGone(answer: WebhookResponse | undefined): boolean {
  return GONE.has(answer?.status ?? null)
}

async function sendToDevice(
  request: Outgoing | undefined,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  return request ? sendTo(request, addresses, signal) : { status: null, error: 'unusable_keys' }
}

async function outgoing(
  { endpoint, p256dh, auth }: PushSubscription,
  { id, language: lang, subject, text, page, lifetime }: PushMessage,
  keys: PushKeys,
): Promise<Outgoing | undefined> {
  const payload = { id, lang, page, title: cut(subject, LONGEST_TITLE), body: cut(text, LONGEST_TEXT) }
  const { generateRequestDetails } = (await import('web-push')).default
  try {
    const subscription = { endpoint, keys: { p256dh, auth } }
    const { headers, body } = generateRequestDetails(subscription, JSON.stringify(payload), {
      vapidDetails: keys,
      TTL: Math.max(0, Math.floor(lifetime / 1000)),
      // If sent again, the message replaces the first one in the push service.
      topic: id.replaceAll('-', ''),
    })
    return { url: endpoint, headers, body: body ?? '' }
  } catch {
    return undefined
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

async function forgetDevices(
  database: DatabasePool,
  tenantId: string,
  studentId: string,
  gone: readonly PushSubscription[],
): Promise<void> {
  const endpoints = gone.map(({ endpoint }) => endpoint)
  await inTransaction(database, async (db) => {
    await deletePushSubscriptions(db, tenantId, studentId, endpoints)
    await readdressMessagesOf(db, tenantId, studentId)
  })
}

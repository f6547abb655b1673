import type { FastifyBaseLogger } from 'fastify'
import type { WebhookSecrets } from '../auth/webhook-secrets.ts'
import type { Webhook } from '../contract/webhook.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import {
  type ClaimedWebhook,
  claimWebhook,
  giveBackWebhook,
  releaseWebhook,
} from '../db/webhooks/webhook-claims.ts'
import {
  type DueDelivery,
  finishDelivery,
  giveUpDelivery,
  nextDelivery,
  postponeDelivery,
  type WebhookResponse,
} from '../db/webhooks/webhook-deliveries.ts'
import { pauseAfter } from '../outbox/failing-receivers.ts'
import { OutboxWorker } from '../outbox/worker.ts'
import type { Addresses } from './addresses.ts'
import { disableWebhook } from './disable.ts'
import { WEBHOOK_INTERVALS, type WebhookIntervals } from './intervals.ts'
import { queueNewDeliveries, readNewDeliveries } from './new-deliveries.ts'
import { post } from './receiver.ts'

/** Much longer than a turn and its last attempt together. */
const CLAIM_SECONDS = 120

/** The webhooks that a process serves at a time, those of one school at different hosts. */
const BOUNDS = { active: 4, most: 64, ofSchool: 4 }

type Turn = {
  readonly failures: number
  readonly hasSucceeded: boolean
  readonly isDone: boolean
  readonly isGone?: boolean
}

function idleTurn({ failures }: ClaimedWebhook): Turn {
  return { failures, hasSucceeded: false, isDone: true }
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Options = {
  readonly db: DatabasePool
  readonly log: Log
  readonly secrets: WebhookSecrets
  readonly addresses: Addresses
  readonly intervals?: WebhookIntervals
}

/** Sends changes to webhooks in order. One process at a time serves a webhook. Sends a change again unless success was recorded. */
export class WebhookDispatcher {
  readonly #db: DatabasePool
  readonly #log: Log
  readonly #secrets: WebhookSecrets
  readonly #addresses: Addresses
  readonly #intervals: WebhookIntervals
  readonly #worker: OutboxWorker<ClaimedWebhook>

  constructor({ db, log, secrets, addresses, intervals = WEBHOOK_INTERVALS }: Options) {
    this.#db = db
    this.#log = log
    this.#secrets = secrets
    this.#addresses = addresses
    this.#intervals = intervals
    const { look } = intervals
    this.#worker = new OutboxWorker({
      bounds: BOUNDS,
      look,
      claim: (order) => claimWebhook(db, { seconds: look / 1000, order }),
      attempt: (webhook, { stopping }) => this.#serve(webhook, stopping),
      giveBack: (webhook, hasFailed) => giveBackWebhook(db, webhook, hasFailed ? look / 1000 : 0),
      report: (error) => log.error({ err: error, event: 'webhooks_stuck' }, 'webhooks cannot be read'),
    })
  }

  /** Aborts attempts in progress, which do not count as failures, and resolves when all turns are over. May be called again. */
  stop(): Promise<void> {
    return this.#worker.stop()
  }

  /** Serves a webhook for a turn. Returns whether it has released it: not if it was disabled or the claim was lost. */
  async #serve(webhook: ClaimedWebhook, stopping: AbortSignal): Promise<boolean> {
    const secret = this.#secrets.open(webhook.id, webhook.secret)
    if (secret === undefined) return this.#disable(webhook, 'secret_lost')
    const news = await readNewDeliveries(this.#db, webhook)
    const isBusy = news.queued.length > 0 || (await nextDelivery(this.#db, webhook)) !== undefined
    if (!isBusy && !news.isAhead && webhook.failures === 0) return true
    if (isBusy && !(await queueNewDeliveries(this.#db, webhook, news, CLAIM_SECONDS))) return false
    const turn = isBusy ? await this.#deliver(webhook, secret, stopping) : idleTurn(webhook)
    const { failures, hasSucceeded, isDone, isGone } = turn
    if (isGone) return this.#disable(webhook, 'gone')
    const wait = failures > 0 ? pauseAfter(failures, this.#intervals) : this.#intervals.look
    const seconds = (isDone ? wait : 0) / 1000
    const release = { seconds, position: news.position, failures, hasSucceeded }
    const failing = await releaseWebhook(this.#db, webhook, release)
    if (failing === undefined) return false
    if (failures > 0 && failing * 1000 >= this.#intervals.patience) await this.#disable(webhook, 'failing')
    return true
  }

  async #deliver(webhook: ClaimedWebhook, secret: string, stopping: AbortSignal): Promise<Turn> {
    const end = performance.now() + this.#intervals.turn
    let { failures } = webhook
    let hasSucceeded = false
    while (!stopping.aborted && performance.now() < end) {
      const delivery = await nextDelivery(this.#db, webhook)
      if (!delivery) return { failures, hasSucceeded, isDone: true }
      const answer = await this.#send({ webhook, delivery, secret }, stopping)
      if (stopping.aborted && answer.status === null) break
      const { status } = answer
      if (status !== null && status >= 200 && status < 300) {
        failures = 0
        hasSucceeded = true
        await finishDelivery(this.#db, { webhook, delivery }, answer)
      } else {
        await this.#recordFailure(webhook, delivery, answer)
        return { failures: failures + 1, hasSucceeded, isDone: true, isGone: status === 410 }
      }
    }
    return { failures, hasSucceeded, isDone: false }
  }

  async #send(
    {
      webhook: { url },
      delivery: { id, type, changed_at, change },
      secret,
    }: { readonly webhook: ClaimedWebhook; readonly delivery: DueDelivery; readonly secret: string },
    stopping: AbortSignal,
  ): Promise<WebhookResponse> {
    if (change === null) return { status: null, error: 'not_in_the_log' }
    const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(changed_at)},"data":${change}}`
    const signal = AbortSignal.any([AbortSignal.timeout(this.#intervals.send), stopping])
    return post({ url, id, body, secret }, this.#addresses, signal)
  }

  async #recordFailure(
    webhook: ClaimedWebhook,
    delivery: DueDelivery,
    answer: WebhookResponse,
  ): Promise<void> {
    const { tenant_id, id: webhook_id } = webhook
    const { id: delivery_id, type, attempts } = delivery
    const seconds = pauseAfter(attempts + 1, this.#intervals) / 1000
    const facts = { tenant_id, webhook_id, delivery_id, type, attempts: attempts + 1, ...answer }
    this.#log.warn({ event: 'webhook_failed', ...facts, retry_in_seconds: seconds }, 'webhook not delivered')
    const failing = await postponeDelivery(this.#db, { webhook, delivery }, { ...answer, seconds })
    // If no delivery succeeds, this one is not given up: the webhook is disabled.
    if (failing * 1000 >= this.#intervals.patience) await giveUpDelivery(this.#db, { webhook, delivery })
  }

  /** Disables a webhook unless it has changed. Returns false, since this does not release it. */
  async #disable(webhook: ClaimedWebhook, reason: Exclude<Webhook['disabled_reason'], null>): Promise<false> {
    const { tenant_id, id: webhook_id } = webhook
    if (await disableWebhook(this.#db, webhook, reason))
      this.#log.warn({ event: 'webhook_disabled', tenant_id, webhook_id, reason }, 'webhook disabled')
    return false
  }
}

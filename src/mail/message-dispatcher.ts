import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { DatabasePool } from '../db/connection/pool.ts'
import { hasCauses } from '../db/message-facts.ts'
import { type ClaimedMessage, claimMessage, finishMessage, postponeMessage } from '../db/message-outbox.ts'
import { isReachable, MESSAGE_CHANNELS, type MessageChannel } from '../domain/message-channels.ts'
import { type DropReason, isNotice } from '../domain/messages.ts'
import { queueAllDayPlans } from './day-plans.ts'
import { type Senders, type SendFailure, sendThrough, transportTo } from './delivery.ts'
import { deriveAllMessages, deriveMessages } from './derive-messages.ts'
import { succeeds } from './each-school.ts'
import type { MailConfig } from './mail-config.ts'
import { MESSAGE_INTERVALS, type MessageIntervals } from './message-intervals.ts'
import { messageToSend, type Sendable } from './message-to-send.ts'

/** The longest rest in milliseconds: otherwise a slow database would delay all messages. */
const LONGEST_REST = 1_000

/** After this many attempts the message itself may be at fault, so another one is tried. */
const ATTEMPTS_TO_DOUBT = 5

const MAX_SERVED = 1_000

const WITHOUT_MAIL = MESSAGE_CHANNELS.filter((channel) => channel !== 'mail')

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Options = {
  readonly db: DatabasePool
  readonly log: Log
  /** Undefined if mail is not set up. */
  readonly config: MailConfig | undefined
  readonly sendBy: Omit<Senders, 'mail'>
  readonly intervals?: MessageIntervals
  readonly now?: () => Date
}

/**
 * Derives messages from changes, decides on each again before sending it, and serves schools in turn. Sends a message again if
 * a process dies between sending and recording. While the mail server is down, mails keep their order.
 */
export class MessageDispatcher {
  readonly #db: DatabasePool
  readonly #log: Log
  readonly #intervals: MessageIntervals
  readonly #sender: MailConfig['from'] | undefined
  readonly #senders: Senders
  readonly #now: () => Date
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #served = new LRUCache<string, true>({ max: MAX_SERVED })
  /** The milliseconds that sending the last message took. */
  #sendingTime = 0
  #failures = 0
  #isDoubting = false
  readonly #working: Promise<void>

  constructor({ db, log, config, sendBy, intervals = MESSAGE_INTERVALS, now = () => new Date() }: Options) {
    this.#db = db
    this.#log = log
    this.#intervals = intervals
    this.#sender = config?.from
    this.#senders = { ...sendBy, mail: config && transportTo(config) }
    this.#now = now
    this.#working = this.#work()
  }

  /** Waits for the message in progress, or aborts it after `intervals.stop`. May be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const timeout = setTimeout(() => this.#aborting.abort(), this.#intervals.stop)
    await this.#working
    clearTimeout(timeout)
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      await this.#deliver().catch((error: unknown) =>
        this.#log.error({ err: error, event: 'messages_stuck' }, 'the messages cannot be read'),
      )
      await this.#rest(this.#failures === 0 ? this.#intervals.look : this.#delayAfter(this.#failures))
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #rest(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  #delayAfter(failures: number): number {
    return Math.min(this.#intervals.firstPause * 2 ** (failures - 1), this.#intervals.longestPause)
  }

  /** Queues due messages and sends them until none is left, or, if the mail server fails, none of the other channels. */
  async #deliver(): Promise<void> {
    await deriveAllMessages(this.#db, this.#log, this.#now)
    await queueAllDayPlans(this.#db, this.#log, this.#now)
    if (this.#senders.mail) await this.#sendAll(MESSAGE_CHANNELS)
    if (!this.#senders.mail || this.#failures > 0) await this.#sendAll(WITHOUT_MAIL)
  }

  async #sendAll(channels: readonly MessageChannel[]): Promise<void> {
    while (!this.#isStopping) {
      const start = performance.now()
      this.#sendingTime = 0
      if (!(await this.#sendNext(channels))) return
      const atDatabase = performance.now() - start - this.#sendingTime
      await this.#rest(Math.min(atDatabase * this.#intervals.rest, LONGEST_REST))
    }
  }

  async #sendNext(channels: readonly MessageChannel[]): Promise<boolean> {
    const { send } = this.#intervals
    const seconds = (2 * send) / 1000
    const claim = { now: this.#now(), seconds, served: [...this.#served.rkeys()], channels }
    const claimed = await claimMessage(this.#db, claim)
    if (!claimed) return false
    this.#served.set(claimed.tenant_id, true)
    const now = this.#now()
    const decision = await messageToSend(this.#db, claimed, { sender: this.#sender, now })
    if (decision.action === 'wait') {
      await postponeMessage(this.#db, claimed, { until: decision.until, send_at: decision.until })
      return true
    }
    if (isNotice(claimed.kind) && (await this.#derivesFirst(claimed))) return true
    if (decision.action === 'drop') return this.#drop(claimed, decision.reason)
    const signal = AbortSignal.any([AbortSignal.timeout(send), this.#aborting.signal])
    const start = performance.now()
    const failure = await sendThrough(this.#senders, claimed.tenant_id, decision, signal)
    this.#sendingTime = performance.now() - start
    if (failure === 'no_webhook') return this.#drop(claimed, failure)
    if (failure && (await this.#usesOtherChannel(claimed, decision, failure))) return true
    if (failure && failure !== 'no_device') return this.#recordFailure(claimed, failure)
    const { to, channel } = decision
    if (channel === 'mail') this.#failures = 0
    await this.#record(() =>
      finishMessage(this.#db, claimed, { state: 'sent', reason: null, to, channel, now }),
    )
    this.#log.info({ event: 'message_sent', ...factsOf(claimed) }, 'message sent')
    return true
  }

  async #drop(claimed: ClaimedMessage, reason: DropReason): Promise<true> {
    await finishMessage(this.#db, claimed, { state: 'dropped', reason, now: this.#now() })
    this.#log.info({ event: 'message_dropped', ...factsOf(claimed), reason }, 'message dropped')
    return true
  }

  /** Queues a message for the student's other channel, if any, once the devices fail for good. Returns whether it did. */
  async #usesOtherChannel(
    claimed: ClaimedMessage,
    decision: Sendable,
    failure: SendFailure | 'no_device',
  ): Promise<boolean> {
    if (decision.channel !== 'push') return false
    const until = this.#now()
    if (failure === 'no_device') {
      await this.#record(() => postponeMessage(this.#db, claimed, { until }))
      return true
    }
    const { reason, isFinal } = failure
    const { chosen: reach } = decision
    if (!isReachable(reach) || (!isFinal && claimed.attempts < ATTEMPTS_TO_DOUBT)) return false
    await this.#record(() => postponeMessage(this.#db, claimed, { until, reason, reach }))
    this.#log.warn({ event: 'message_delayed', ...factsOf(claimed), reason }, 'message delayed')
    return true
  }

  /** Releases a notice and derives messages if there are new changes. Returns whether it did. The notice waits if that fails. */
  async #derivesFirst(claimed: ClaimedMessage): Promise<boolean> {
    const { tenant_id } = claimed
    if (!(await hasCauses(this.#db, tenant_id))) return false
    await postponeMessage(this.#db, claimed, { until: this.#now() })
    const derive = () => deriveMessages(this.#db, tenant_id, this.#now())
    if (await succeeds(tenant_id, this.#log, derive)) return true
    const until = new Date(this.#now().getTime() + this.#intervals.look)
    await postponeMessage(this.#db, claimed, { until })
    return true
  }

  /** Records a failure. An unreachable server delays all mails alike, in order; one that accepts others delays only this one. */
  async #recordFailure(
    claimed: ClaimedMessage,
    { reason, isFinal, isServer }: SendFailure,
  ): Promise<boolean> {
    const now = this.#now()
    if (isFinal) {
      await this.#record(() => finishMessage(this.#db, claimed, { state: 'failed', reason, now }))
      this.#log.error({ event: 'message_failed', ...factsOf(claimed), reason }, 'message failed')
      return true
    }
    if (isServer) this.#failures += 1
    const isOwn = !isServer || (claimed.attempts >= ATTEMPTS_TO_DOUBT && (await this.#takesAnother()))
    const delay = isOwn ? this.#delayAfter(claimed.attempts) : 0
    const until = new Date(now.getTime() + delay)
    await this.#record(() => postponeMessage(this.#db, claimed, { until, reason }))
    this.#log.warn({ event: 'message_delayed', ...factsOf(claimed), reason }, 'message delayed')
    return isOwn
  }

  /** Whether the mail server accepts another message while the failing one stays claimed. */
  async #takesAnother(): Promise<boolean> {
    if (this.#isDoubting) return false
    this.#isDoubting = true
    try {
      while (!this.#isStopping && (await this.#sendNext(MESSAGE_CHANNELS)))
        if (this.#failures === 0) return true
      return false
    } finally {
      this.#isDoubting = false
    }
  }

  /** Records an outcome. Retries while the database is unreachable: otherwise the message would be sent again. */
  async #record(record: () => Promise<void>): Promise<void> {
    while (true) {
      try {
        return await record()
      } catch (error) {
        if (this.#isStopping) throw error
        this.#log.error(
          { err: error, event: 'messages_stuck' },
          'the outcome of a message cannot be recorded',
        )
        await this.#rest(this.#intervals.look)
      }
    }
  }
}

function factsOf({ tenant_id, id: message_id, kind, attempts }: ClaimedMessage) {
  return { tenant_id, message_id, kind, attempts }
}

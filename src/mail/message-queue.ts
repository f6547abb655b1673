import type { FastifyBaseLogger } from 'fastify'
import type { ClaimOrder } from '../db/claim-order.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { type ClaimedMessage, claimMessage, holdMessage } from '../db/messages/message-outbox.ts'
import type { Clock } from '../db/now.ts'
import { isReachable, type SentChannel } from '../domain/message-channels.ts'
import { isDerivedKind } from '../domain/messages.ts'
import { type AttemptBounds, Attempts } from '../outbox/attempts.ts'
import { FailingReceivers, pauseAfter } from '../outbox/failing-receivers.ts'
import { workThrough } from '../outbox/work-through.ts'
import type { StudentPages } from './availability-rounds.ts'
import { type Senders, type SendFailure, sendThrough } from './delivery.ts'
import { deriveMessages } from './derive-messages.ts'
import { succeeds } from './each-school.ts'
import type { Sender } from './mail-config.ts'
import { MAIL_BOUNDS } from './mail-dispatcher.ts'
import type { MessageIntervals } from './message-intervals.ts'
import { MessageOutcomes } from './message-outcomes.ts'
import { messageToSend, type Sendable } from './message-to-send.ts'
import { ServerState } from './server-state.ts'

/** The longest rest in milliseconds: otherwise a slow database would delay all messages. */
const LONGEST_REST = 1_000

/** After this many attempts the message itself may be at fault, so another one is tried. */
const ATTEMPTS_TO_DOUBT = 5

/** The milliseconds of a claim beyond the time limit of the attempt: for reading before it and recording after it. */
const CLAIM_MARGIN = 20_000

const BY_HTTP: AttemptBounds = { active: 4, most: 32, ofSchool: 4 }
const BOUNDS: Readonly<Record<SentChannel, AttemptBounds>> = {
  mail: MAIL_BOUNDS,
  webhook: BY_HTTP,
  push: BY_HTTP,
}

type Options = {
  readonly db: DatabasePool
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly channel: SentChannel
  readonly sender: Sender | undefined
  readonly senders: Senders
  readonly pages: StudentPages
  readonly intervals: MessageIntervals
  readonly clock: Clock
  readonly signals: { readonly stopping: AbortSignal; readonly aborting: AbortSignal }
}

type Next = { readonly claimed: ClaimedMessage; readonly decision: Sendable | undefined }

/** The due messages of a channel: schools take turns, and each message is decided on before it is sent. Mails keep their order. */
export class MessageQueue {
  readonly #options: Options
  readonly #attempts: Attempts
  readonly #failing: FailingReceivers
  readonly #outcomes: MessageOutcomes
  readonly #server = new ServerState()
  /** The milliseconds to rest for the use of the database. */
  #owed = 0
  #isDoubting = false

  constructor(options: Options) {
    this.#options = options
    this.#attempts = new Attempts(BOUNDS[options.channel])
    this.#failing = new FailingReceivers(options.intervals)
    this.#outcomes = new MessageOutcomes({ ...options, stopping: options.signals.stopping })
  }

  work(): Promise<void> {
    const { intervals, signals } = this.#options
    return workThrough({
      attempts: this.#attempts,
      look: intervals.look,
      stopping: signals.stopping,
      startNext: () => this.#startNext(),
      rest: () => this.#rest(),
      isBlocked: () => this.#server.failures > 0 && this.#attempts.size > 0,
      report: (error) => this.#reportStuck(error, 'the messages cannot be read'),
    })
  }

  #rest(): number {
    const { failures, sinceFailure } = this.#server
    if (failures > 0 && this.#attempts.size === 0)
      return pauseAfter(failures, this.#options.intervals) - sinceFailure
    const owed = Math.min(this.#owed, LONGEST_REST)
    this.#owed = 0
    return owed
  }

  #reportStuck(error: unknown, text: string): void {
    this.#options.log.error({ err: error, event: 'messages_stuck' }, text)
  }

  async #startNext(): Promise<boolean> {
    const next = await this.#next(this.#attempts.claimOrder(this.#failing.resting))
    if (!next) return false
    const { claimed, decision } = next
    const attempted = { school: claimed.tenant_id, receiver: claimed.receiver }
    if (decision) this.#attempts.start(attempted, () => this.#attempt(claimed, decision))
    return true
  }

  /** Claims the next message and decides on it, without a decision if it is not to be sent now. */
  async #next(order: ClaimOrder): Promise<Next | undefined> {
    const claimed = await this.#claim(order)
    return (
      claimed && { claimed, decision: await this.#outcomes.orGivenBack(claimed, () => this.#decide(claimed)) }
    )
  }

  async #claim(order: ClaimOrder): Promise<ClaimedMessage | undefined> {
    const { db, channel, clock } = this.#options
    const seconds = (this.#limit + CLAIM_MARGIN) / 1000
    const claim = { now: clock(), seconds, channel, order }
    const claimed = await this.#used(() => claimMessage(db, claim))
    if (claimed) this.#attempts.serve(claimed.tenant_id)
    return claimed
  }

  get #limit(): number {
    const { channel, intervals } = this.#options
    return channel === 'mail' ? intervals.send : intervals.sendByHttp
  }

  async #used<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.#owed += (performance.now() - start) * this.#options.intervals.rest
    }
  }

  /** Decides on a claimed message, and records the decision unless it is to be sent. */
  async #decide(claimed: ClaimedMessage): Promise<Sendable | undefined> {
    const { db, sender, pages } = this.#options
    const decision = await this.#used(() => messageToSend(db, claimed, { sender, pages }))
    if (decision.action === 'wait') await this.#outcomes.moved(claimed, decision.until)
    else if (!(await this.#holds(claimed))) return undefined
    else if (decision.action === 'drop') await this.#outcomes.dropped(claimed, decision.reason)
    else if (decision.channel === claimed.channel) return decision
    else {
      const reach = { channel: decision.channel, address: decision.to }
      await this.#outcomes.givenBack(claimed, 0, { reach })
    }
    return undefined
  }

  async #attempt(claimed: ClaimedMessage, decision: Sendable): Promise<void> {
    await this.#outcomes.orGivenBack(claimed, () => this.#send(claimed, decision))
  }

  async #send(claimed: ClaimedMessage, decision: Sendable): Promise<void> {
    const { senders, signals } = this.#options
    const signal = AbortSignal.any([AbortSignal.timeout(this.#limit), signals.aborting])
    const start = performance.now()
    const failure = await sendThrough(senders, claimed.tenant_id, decision, signal)
    if (failure === 'no_webhook') return this.#outcomes.dropped(claimed, failure)
    if (failure && (await this.#usesOtherChannel(claimed, decision, failure))) return
    if (failure && failure !== 'no_device') return this.#recordFailure(claimed, failure, start)
    this.#failing.answered(claimed.receiver)
    this.#server.answered()
    await this.#outcomes.sent(claimed, decision)
  }

  /** Queues a message for the student's other channel, if any, once the devices fail for good. Returns whether it did. */
  async #usesOtherChannel(
    claimed: ClaimedMessage,
    decision: Sendable,
    failure: SendFailure | 'no_device',
  ): Promise<boolean> {
    if (decision.channel !== 'push') return false
    if (failure === 'no_device') {
      await this.#outcomes.givenBack(claimed, 0)
      return true
    }
    const { reason, isFinal } = failure
    const { chosen: reach } = decision
    if (!isReachable(reach) || (!isFinal && claimed.attempts < ATTEMPTS_TO_DOUBT)) return false
    await this.#outcomes.delayed(claimed, 0, { reason, reach })
    return true
  }

  /** Whether a message is held for sending. Otherwise derives messages, and gives it back; it waits if that fails. */
  async #holds(claimed: ClaimedMessage): Promise<boolean> {
    const { db, log, clock, intervals } = this.#options
    const { tenant_id } = claimed
    if (await this.#used(() => holdMessage(db, claimed, isDerivedKind(claimed.kind)))) return true
    const isDerived = await succeeds(tenant_id, log, () => deriveMessages(db, tenant_id, clock))
    await this.#outcomes.givenBack(claimed, isDerived ? 0 : intervals.look)
    return false
  }

  /** Records a failure. It delays the receiver's other messages, too, or all mails if the mail server accepts none. */
  async #recordFailure(claimed: ClaimedMessage, failure: SendFailure, start: number): Promise<void> {
    const { reason, isFinal } = failure
    if (!failure.isServer) this.#server.answered()
    if (isFinal) {
      this.#failing.answered(claimed.receiver)
      return this.#outcomes.failed(claimed, reason)
    }
    if (this.#options.channel !== 'mail') this.#failing.failed(claimed.receiver)
    const isServer = failure.isServer && this.#server.failed(start)
    const isOwn = !isServer || (claimed.attempts >= ATTEMPTS_TO_DOUBT && (await this.#takesAnother()))
    const delay = isOwn ? pauseAfter(claimed.attempts, this.#options.intervals) : 0
    await this.#outcomes.delayed(claimed, delay, { reason })
  }

  /** Whether the mail server accepts another message while the failing one stays claimed. */
  async #takesAnother(): Promise<boolean> {
    if (this.#isDoubting) return false
    this.#isDoubting = true
    try {
      while (!this.#options.signals.stopping.aborted) {
        const { failures } = this.#server
        const next = await this.#next({ ...this.#attempts.claimOrder(), schools: [], receivers: [] })
        if (!next) return false
        if (next.decision) await this.#attempt(next.claimed, next.decision)
        if (this.#server.failures === 0) return true
        if (this.#server.failures > failures) return false
      }
      return false
    } finally {
      this.#isDoubting = false
    }
  }
}

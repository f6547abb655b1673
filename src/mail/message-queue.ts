import type { FastifyBaseLogger } from 'fastify'
import type { ClaimOrder } from '../db/claim-order.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { type ClaimedMessage, claimMessage, holdMessage } from '../db/messages/message-outbox.ts'
import type { Clock } from '../db/now.ts'
import { isReachable, type SentChannel } from '../domain/message-channels.ts'
import { isDerivedKind } from '../domain/messages.ts'
import type { AttemptBounds } from '../outbox/attempts.ts'
import { FailingReceivers, pauseAfter } from '../outbox/failing-receivers.ts'
import { ServerState } from '../outbox/server-state.ts'
import { type OutboxTurn, OutboxWorker } from '../outbox/worker.ts'
import type { StudentPages } from './availability-rounds.ts'
import { type Senders, type SendFailure, sendThrough } from './delivery.ts'
import { deriveMessages } from './derive-messages.ts'
import { succeeds } from './each-school.ts'
import type { Sender } from './mail-config.ts'
import { MAIL_BOUNDS } from './mail-dispatcher.ts'
import type { MessageIntervals } from './message-intervals.ts'
import { giveBack, MessageOutcome } from './message-outcome.ts'
import { messageToSend, type Sendable } from './message-to-send.ts'

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
}

type Attempt = {
  readonly claimed: ClaimedMessage
  readonly outcome: MessageOutcome
  readonly stopping: AbortSignal
}

/** The due messages of a channel: schools take turns, and each message is decided on before it is sent. Mails keep their order. */
export class MessageQueue {
  readonly #options: Options
  readonly #failing: FailingReceivers
  readonly #server = new ServerState()
  readonly #worker: OutboxWorker<ClaimedMessage>
  /** The milliseconds to rest for the use of the database. */
  #owed = 0
  #isDoubting = false

  constructor(options: Options) {
    const { log, channel, intervals } = options
    this.#options = options
    this.#failing = new FailingReceivers(intervals)
    this.#worker = new OutboxWorker({
      bounds: BOUNDS[channel],
      look: intervals.look,
      grace: intervals.stop,
      server: this.#server,
      rest: () => this.#rest(),
      claim: (order) => this.#claim(order),
      attempt: async (claimed, turn) => {
        await this.#attempt(claimed, turn)
        return true
      },
      giveBack: (claimed, hasFailed) =>
        giveBack(options, claimed, hasFailed ? pauseAfter(claimed.attempts, intervals) : 0),
      report: (error) =>
        log.error({ err: error, event: 'messages_stuck' }, 'messages cannot be claimed or recorded'),
    })
  }

  /** Waits for the messages in progress, or aborts them after `intervals.stop`. May be called again. */
  stop(): Promise<void> {
    return this.#worker.stop()
  }

  #rest(): number {
    const { failures, sinceFailure } = this.#server
    if (failures > 0) return pauseAfter(failures, this.#options.intervals) - sinceFailure
    const owed = Math.min(this.#owed, LONGEST_REST)
    this.#owed = 0
    return owed
  }

  #claim(order: ClaimOrder): Promise<ClaimedMessage | undefined> {
    const { db, channel, clock } = this.#options
    const seconds = (this.#limit + CLAIM_MARGIN) / 1000
    const receivers = [...order.receivers, ...this.#failing.resting]
    const claim = { now: clock(), seconds, channel, order: { ...order, receivers } }
    return this.#used(() => claimMessage(db, claim))
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

  async #attempt(claimed: ClaimedMessage, turn: OutboxTurn): Promise<void> {
    const outcome = new MessageOutcome(this.#options, claimed, turn)
    const decision = await this.#decide(claimed, outcome)
    if (decision) await this.#send(decision, { claimed, outcome, ...turn })
  }

  /** Decides on a claimed message, and records the decision unless it is to be sent. */
  async #decide(claimed: ClaimedMessage, outcome: MessageOutcome): Promise<Sendable | undefined> {
    const { db, sender, pages } = this.#options
    const decision = await this.#used(() => messageToSend(db, claimed, { sender, pages }))
    if (decision.action === 'wait') await outcome.moved(decision.until)
    else if (!(await this.#holds(claimed, outcome))) return undefined
    else if (decision.action === 'drop') await outcome.dropped(decision.reason)
    else if (decision.channel === claimed.channel) return decision
    else await outcome.givenBack(0, { reach: { channel: decision.channel, address: decision.to } })
    return undefined
  }

  async #send(decision: Sendable, { aborting, ...attempt }: Attempt & OutboxTurn): Promise<void> {
    const { claimed, outcome } = attempt
    const signal = AbortSignal.any([AbortSignal.timeout(this.#limit), aborting])
    const start = performance.now()
    const failure = await sendThrough(this.#options.senders, claimed.tenant_id, decision, signal)
    if (failure === 'no_webhook') return outcome.dropped(failure)
    if (failure && (await this.#usesOtherChannel(attempt, decision, failure))) return
    if (failure && failure !== 'no_device') return this.#recordFailure(attempt, failure, start)
    this.#failing.answered(claimed.receiver)
    this.#server.answered()
    await outcome.sent(decision)
  }

  /** Queues a message for the student's other channel, if any, once the devices fail for good. Returns whether it did. */
  async #usesOtherChannel(
    { claimed, outcome }: Attempt,
    decision: Sendable,
    failure: SendFailure | 'no_device',
  ): Promise<boolean> {
    if (decision.channel !== 'push') return false
    if (failure === 'no_device') {
      await outcome.givenBack(0)
      return true
    }
    const { reason, isFinal } = failure
    const { chosen: reach } = decision
    if (!isReachable(reach) || (!isFinal && claimed.attempts < ATTEMPTS_TO_DOUBT)) return false
    await outcome.delayed(0, { reason, reach })
    return true
  }

  /** Whether a message is held for sending. Otherwise derives messages, and gives it back; it waits if that fails. */
  async #holds(claimed: ClaimedMessage, outcome: MessageOutcome): Promise<boolean> {
    const { db, log, clock, intervals } = this.#options
    const { tenant_id } = claimed
    if (await this.#used(() => holdMessage(db, claimed, isDerivedKind(claimed.kind)))) return true
    const isDerived = await succeeds(tenant_id, log, () => deriveMessages(db, tenant_id, clock))
    await outcome.givenBack(isDerived ? 0 : intervals.look)
    return false
  }

  /** Records a failure. It delays the receiver's other messages, too, or all mails if the mail server accepts none. */
  async #recordFailure(
    { claimed, outcome, stopping }: Attempt,
    failure: SendFailure,
    start: number,
  ): Promise<void> {
    const { reason, isFinal } = failure
    if (!failure.isServer) this.#server.answered()
    if (isFinal) {
      this.#failing.answered(claimed.receiver)
      return outcome.failed(reason)
    }
    if (this.#options.channel !== 'mail') this.#failing.failed(claimed.receiver)
    const isServer = failure.isServer && this.#server.failed(start)
    const isOwn = !isServer || (claimed.attempts >= ATTEMPTS_TO_DOUBT && (await this.#takesAnother(stopping)))
    const delay = isOwn ? pauseAfter(claimed.attempts, this.#options.intervals) : 0
    await outcome.delayed(delay, { reason })
  }

  /** Whether the mail server accepts another message while the failing one stays claimed. */
  async #takesAnother(stopping: AbortSignal): Promise<boolean> {
    if (this.#isDoubting) return false
    this.#isDoubting = true
    try {
      while (!stopping.aborted) {
        const { failures } = this.#server
        if (!(await this.#worker.attemptAnother())) return false
        if (this.#server.failures === 0) return true
        if (this.#server.failures > failures) return false
      }
      return false
    } finally {
      this.#isDoubting = false
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { DatabasePool } from '../db/connection/pool.ts'
import { type Clock, databaseClock } from '../db/now.ts'
import { SENT_CHANNELS } from '../domain/message-channels.ts'
import { askAllDueRounds, type StudentPages } from './availability-rounds.ts'
import { queueAllDayPlans } from './day-plans.ts'
import { type Senders, transportTo } from './delivery.ts'
import { deriveAllMessages } from './derive-messages.ts'
import type { MailConfig } from './mail-config.ts'
import { MESSAGE_INTERVALS, type MessageIntervals } from './message-intervals.ts'
import { MessageQueue } from './message-queue.ts'

type Options = {
  readonly db: DatabasePool
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Undefined if mail is not set up. */
  readonly config: MailConfig | undefined
  readonly sendBy: Omit<Senders, 'mail'>
  readonly pages: StudentPages
  readonly intervals?: MessageIntervals
  readonly clock?: Clock
}

type Deriving = Required<Pick<Options, 'db' | 'log' | 'clock'>>

/** Derives messages from changes, and sends each channel's in a queue of its own; again if a process dies before recording. */
export class MessageDispatcher {
  readonly #intervals: MessageIntervals
  readonly #stopping = new AbortController()
  readonly #deriving: Promise<void>
  readonly #queues: readonly MessageQueue[]

  constructor({
    db,
    log,
    config,
    sendBy,
    pages,
    intervals = MESSAGE_INTERVALS,
    clock = databaseClock,
  }: Options) {
    this.#intervals = intervals
    const senders = { ...sendBy, mail: config && transportTo(config) }
    const channels = SENT_CHANNELS.filter((channel) => channel !== 'mail' || config)
    const sender = config?.from
    this.#queues = channels.map(
      (channel) => new MessageQueue({ db, log, channel, sender, senders, pages, intervals, clock }),
    )
    this.#deriving = this.#derive({ db, log, clock })
  }

  /** Waits for the messages in progress, or aborts them after `intervals.stop`. May be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#deriving, ...this.#queues.map((queue) => queue.stop())])
  }

  async #derive({ db, log, clock }: Deriving): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await deriveAllMessages(db, log, clock)
        await queueAllDayPlans(db, log, clock)
        await askAllDueRounds(db, log, clock)
      } catch (error) {
        log.error({ err: error, event: 'messages_stuck' }, 'the messages cannot be queued')
      }
      await pause(this.#intervals.look, undefined, { signal }).catch(() => undefined)
    }
  }
}

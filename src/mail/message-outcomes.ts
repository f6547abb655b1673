import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { DatabasePool } from '../db/connection/pool.ts'
import {
  type ClaimedMessage,
  finishMessage,
  postponeMessage,
  queueForContacts,
} from '../db/messages/message-outbox.ts'
import type { Clock } from '../db/now.ts'
import type { ContactChannel } from '../domain/message-channels.ts'
import type { DropReason } from '../domain/messages.ts'
import { pauseAfter } from '../outbox/failing-receivers.ts'
import { record } from '../outbox/record.ts'
import type { MessageIntervals } from './message-intervals.ts'
import type { Sendable } from './message-to-send.ts'

type Options = {
  readonly db: DatabasePool
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly intervals: MessageIntervals
  readonly clock: Clock
  readonly stopping: AbortSignal
}

/** Records the outcomes of claimed messages, which ends their claims. */
export class MessageOutcomes {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async sent(claimed: ClaimedMessage, { to, channel }: Sendable): Promise<void> {
    const { log, clock } = this.#options
    await this.#record(async (db) => {
      await queueForContacts(db, claimed)
      await finishMessage(db, claimed, { state: 'sent', reason: null, to, channel, now: clock() })
    })
    log.info({ event: 'message_sent', ...factsOf(claimed) }, 'message sent')
  }

  async failed(claimed: ClaimedMessage, reason: string): Promise<void> {
    const { log, clock } = this.#options
    await this.#record(async (db) => {
      await queueForContacts(db, claimed)
      await finishMessage(db, claimed, { state: 'failed', reason, now: clock() })
    })
    log.error({ event: 'message_failed', ...factsOf(claimed), reason }, 'message failed')
  }

  async dropped(claimed: ClaimedMessage, reason: DropReason): Promise<void> {
    const { log, clock } = this.#options
    await this.#record(async (db) => {
      if (reason === 'no_address') await queueForContacts(db, claimed)
      await finishMessage(db, claimed, { state: 'dropped', reason, now: clock() })
    })
    log.info({ event: 'message_dropped', ...factsOf(claimed), reason }, 'message dropped')
  }

  /** Makes a message that was not delivered due again after a delay, on another channel if `reach` is given. */
  async delayed(
    claimed: ClaimedMessage,
    delay: number,
    { reason, reach }: { readonly reason: string; readonly reach?: ContactChannel },
  ): Promise<void> {
    await this.givenBack(claimed, delay, { reason, ...(reach && { reach }) })
    const { log } = this.#options
    log.warn({ event: 'message_delayed', ...factsOf(claimed), reason }, 'message delayed')
  }

  givenBack(
    claimed: ClaimedMessage,
    delay: number,
    fields: Omit<Parameters<typeof postponeMessage>[2], 'until'> = {},
  ): Promise<void> {
    const until = sql<Date>`(${this.#options.clock()} + make_interval(secs => ${delay / 1000}))`
    return this.#record((db) => postponeMessage(db, claimed, { until, ...fields }))
  }

  /** Runs work on a claimed message, and gives it back if that fails, as in a fault of the database. */
  async orGivenBack<Result>(
    claimed: ClaimedMessage,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const { intervals, stopping } = this.#options
    try {
      return await work()
    } catch (error) {
      if (stopping.aborted) return undefined
      this.#report(error, 'a message cannot be sent')
      await this.givenBack(claimed, pauseAfter(claimed.attempts, intervals)).catch(() => undefined)
      return undefined
    }
  }

  #report(error: unknown, text: string): void {
    this.#options.log.error({ err: error, event: 'messages_stuck' }, text)
  }

  moved(claimed: ClaimedMessage, until: Date): Promise<void> {
    return this.#record((db) => postponeMessage(db, claimed, { until, send_at: until }))
  }

  #record(write: (db: DatabasePool) => Promise<void>): Promise<void> {
    const { db, intervals, stopping } = this.#options
    const report = (error: unknown) => this.#report(error, 'the outcome of a message cannot be recorded')
    return record(() => write(db), { look: intervals.look, stopping, report })
  }
}

function factsOf({ tenant_id, id: message_id, kind, attempts }: ClaimedMessage) {
  return { tenant_id, message_id, kind, attempts }
}

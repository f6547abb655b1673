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
import type { OutboxTurn } from '../outbox/worker.ts'
import type { Sendable } from './message-to-send.ts'

type Options = {
  readonly db: DatabasePool
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly clock: Clock
}

type Postponed = Omit<Parameters<typeof postponeMessage>[2], 'until'>

/** Makes a claimed message due again after some milliseconds. */
export function giveBack(
  { db, clock }: Pick<Options, 'db' | 'clock'>,
  claimed: ClaimedMessage,
  delay: number,
  fields: Postponed = {},
): Promise<void> {
  const until = sql<Date>`(${clock()} + make_interval(secs => ${delay / 1000}))`
  return postponeMessage(db, claimed, { until, ...fields })
}

/** Records the outcome of a claimed message, which ends its claim. */
export class MessageOutcome {
  readonly #options: Options
  readonly #claimed: ClaimedMessage
  readonly #record: OutboxTurn['record']

  constructor(options: Options, claimed: ClaimedMessage, { record }: OutboxTurn) {
    this.#options = options
    this.#claimed = claimed
    this.#record = record
  }

  async sent({ to, channel }: Sendable): Promise<void> {
    const { db, log, clock } = this.#options
    await this.#record(async () => {
      await queueForContacts(db, this.#claimed)
      await finishMessage(db, this.#claimed, { state: 'sent', reason: null, to, channel, now: clock() })
    })
    log.info({ event: 'message_sent', ...this.#facts }, 'message sent')
  }

  async failed(reason: string): Promise<void> {
    const { db, log, clock } = this.#options
    await this.#record(async () => {
      await queueForContacts(db, this.#claimed)
      await finishMessage(db, this.#claimed, { state: 'failed', reason, now: clock() })
    })
    log.error({ event: 'message_failed', ...this.#facts, reason }, 'message failed')
  }

  async dropped(reason: DropReason): Promise<void> {
    const { db, log, clock } = this.#options
    await this.#record(async () => {
      if (reason === 'no_address') await queueForContacts(db, this.#claimed)
      await finishMessage(db, this.#claimed, { state: 'dropped', reason, now: clock() })
    })
    log.info({ event: 'message_dropped', ...this.#facts, reason }, 'message dropped')
  }

  /** Makes a message that was not delivered due again after a delay, on another channel if `reach` is given. */
  async delayed(
    delay: number,
    { reason, reach }: { readonly reason: string; readonly reach?: ContactChannel },
  ): Promise<void> {
    await this.givenBack(delay, { reason, ...(reach && { reach }) })
    const { log } = this.#options
    log.warn({ event: 'message_delayed', ...this.#facts, reason }, 'message delayed')
  }

  givenBack(delay: number, fields?: Postponed): Promise<void> {
    return this.#record(() => giveBack(this.#options, this.#claimed, delay, fields))
  }

  moved(until: Date): Promise<void> {
    const { db } = this.#options
    return this.#record(() => postponeMessage(db, this.#claimed, { until, send_at: until }))
  }

  get #facts() {
    const { tenant_id, id: message_id, kind, attempts } = this.#claimed
    return { tenant_id, message_id, kind, attempts }
  }
}

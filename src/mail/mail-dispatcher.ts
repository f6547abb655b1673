import type { FastifyBaseLogger } from 'fastify'
import {
  type ClaimedMail,
  claimMail,
  finishMail,
  NOT_WORTH_IT,
  postponeMail,
  readMailSchool,
} from '../db/messages/mails.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Pauses, pauseAfter } from '../outbox/failing-receivers.ts'
import { ServerState } from '../outbox/server-state.ts'
import { type OutboxTurn, OutboxWorker } from '../outbox/worker.ts'
import { type SendFailure, type Transport, transportTo } from './delivery.ts'
import type { MailConfig } from './mail-config.ts'
import { messageFor } from './message.ts'

export type MailIntervals = Pauses & {
  /** The pause before reading an empty outbox again. */
  readonly look: number
  /** The time limit of an attempt. A claim lasts twice as long, so that no other process sends the mail meanwhile. */
  readonly send: number
  /** The time left for a mail in progress when the service stops. */
  readonly stop: number
}

export const MAIL_INTERVALS: MailIntervals = {
  look: 5_000,
  send: 60_000,
  firstPause: 60_000,
  longestPause: 3_600_000,
  stop: 5_000,
}

/** One mail after another; slow ones wait beside it, on at most five connections to the mail server. */
export const MAIL_BOUNDS = { active: 1, most: 5, ofSchool: 2 }

export type MailCounts = { sent: number; failed: number; given_up: number }

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Options = {
  readonly db: Database
  readonly log: Log
  readonly config: MailConfig
  readonly intervals?: MailIntervals
}

/** Sends queued mails, schools in turn. Sends a mail again if a process dies between sending and recording. */
export class MailDispatcher {
  readonly counts: MailCounts = { sent: 0, failed: 0, given_up: 0 }
  readonly #db: Database
  readonly #log: Log
  readonly #intervals: MailIntervals
  readonly #from: MailConfig['from']
  readonly #transport: Transport
  readonly #server = new ServerState()
  readonly #worker: OutboxWorker<ClaimedMail>

  constructor({ db, log, config, intervals = MAIL_INTERVALS }: Options) {
    this.#db = db
    this.#log = log
    this.#intervals = intervals
    this.#from = config.from
    this.#transport = transportTo(config)
    const { look, stop: grace } = intervals
    this.#worker = new OutboxWorker({
      bounds: MAIL_BOUNDS,
      look,
      grace,
      server: this.#server,
      // Rests while the server is down, instead of trying every waiting mail.
      rest: () => (this.#server.failures === 0 ? 0 : look - this.#server.sinceFailure),
      claim: (order) => claimMail(db, { seconds: (2 * intervals.send) / 1000, order }),
      attempt: async (mail, turn) => {
        await this.#send(mail, turn)
        return true
      },
      giveBack: (mail, hasFailed) => {
        const pauses = { ...intervals, firstPause: look }
        return postponeMail(db, mail, { seconds: hasFailed ? pauseAfter(mail.attempts, pauses) / 1000 : 0 })
      },
      report: (error) =>
        log.error({ err: error, event: 'mail_stuck' }, 'mails cannot be claimed or recorded'),
    })
  }

  /** Waits for the mails in progress, or aborts them after `intervals.stop`. May be called again. */
  stop(): Promise<void> {
    return this.#worker.stop()
  }

  async #send(mail: ClaimedMail, turn: OutboxTurn): Promise<void> {
    if (mail.is_stale) return this.#giveUp(mail, NOT_WORTH_IT, turn)
    const message = messageFor(mail, await readMailSchool(this.#db, mail.tenant_id), this.#from)
    const start = performance.now()
    const signal = AbortSignal.any([AbortSignal.timeout(this.#intervals.send), turn.aborting])
    const failure = await this.#transport(message, signal)
    if (!failure?.isServer) this.#server.answered()
    else this.#server.failed(start)
    if (!failure) await this.#recordSent(mail, turn)
    else if (failure.isFinal) await this.#giveUp(mail, failure.reason, turn)
    else await this.#postpone(mail, failure, turn)
  }

  async #recordSent(mail: ClaimedMail, { record }: OutboxTurn): Promise<void> {
    this.counts.sent += 1
    await record(() => finishMail(this.#db, mail, { state: 'sent', last_error: null }))
    this.#log.info({ event: 'mail_sent', ...factsOf(mail) }, 'mail sent')
  }

  async #giveUp(mail: ClaimedMail, reason: string, { record }: OutboxTurn): Promise<void> {
    this.counts.given_up += 1
    await record(() => finishMail(this.#db, mail, { state: 'given_up', last_error: reason }))
    this.#log.error({ event: 'mail_given_up', ...factsOf(mail), reason }, 'mail given up')
  }

  async #postpone(mail: ClaimedMail, { reason }: SendFailure, { record }: OutboxTurn): Promise<void> {
    this.counts.failed += 1
    const seconds = pauseAfter(mail.attempts, this.#intervals) / 1000
    await record(() => postponeMail(this.#db, mail, { last_error: reason, seconds }))
    this.#log.warn(
      { event: 'mail_delayed', ...factsOf(mail), reason, retry_in_seconds: seconds },
      'mail delayed',
    )
  }
}

function factsOf({ tenant_id, id: mail_id, template, attempts }: ClaimedMail) {
  return { tenant_id, mail_id, template, attempts }
}

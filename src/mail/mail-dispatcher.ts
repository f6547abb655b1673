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
import { Attempts } from '../outbox/attempts.ts'
import { type Pauses, pauseAfter } from '../outbox/failing-receivers.ts'
import { record } from '../outbox/record.ts'
import { workThrough } from '../outbox/work-through.ts'
import { type SendFailure, type Transport, transportTo } from './delivery.ts'
import type { MailConfig } from './mail-config.ts'
import { messageFor } from './message.ts'
import { ServerState } from './server-state.ts'

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
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #attempts = new Attempts(MAIL_BOUNDS)
  readonly #server = new ServerState()
  readonly #working: Promise<void>

  constructor({ db, log, config, intervals = MAIL_INTERVALS }: Options) {
    this.#db = db
    this.#log = log
    this.#intervals = intervals
    this.#from = config.from
    this.#transport = transportTo(config)
    this.#working = workThrough({
      attempts: this.#attempts,
      look: intervals.look,
      stopping: this.#stopping.signal,
      startNext: () => this.#startNext(),
      // Rests while the server is down, instead of trying every waiting mail.
      rest: () => (this.#server.failures === 0 ? 0 : intervals.look - this.#server.sinceFailure),
      isBlocked: () => this.#server.failures > 0 && this.#attempts.size > 0,
      report: (error) => this.#reportStuck(error, 'the outbox cannot be read'),
    })
  }

  /** Waits for the mails in progress, or aborts them after `intervals.stop`. May be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const timeout = setTimeout(() => this.#aborting.abort(), this.#intervals.stop)
    await this.#working
    clearTimeout(timeout)
  }

  #reportStuck(error: unknown, text: string): void {
    this.#log.error({ err: error, event: 'mail_stuck' }, text)
  }

  async #startNext(): Promise<boolean> {
    const mail = await claimMail(this.#db, {
      seconds: (2 * this.#intervals.send) / 1000,
      order: this.#attempts.claimOrder(),
    })
    if (!mail) return false
    this.#attempts.serve(mail.tenant_id)
    this.#attempts.start({ school: mail.tenant_id, receiver: mail.to_address }, () => this.#attempt(mail))
    return true
  }

  async #attempt(mail: ClaimedMail): Promise<void> {
    try {
      await this.#send(mail)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#reportStuck(error, 'a mail cannot be sent')
      const pauses = { ...this.#intervals, firstPause: this.#intervals.look }
      const seconds = pauseAfter(mail.attempts, pauses) / 1000
      await this.#record(() => postponeMail(this.#db, mail, { seconds })).catch(() => undefined)
    }
  }

  async #send(mail: ClaimedMail): Promise<void> {
    if (mail.is_stale) return this.#giveUp(mail, NOT_WORTH_IT)
    const message = messageFor(mail, await readMailSchool(this.#db, mail.tenant_id), this.#from)
    const start = performance.now()
    const signal = AbortSignal.any([AbortSignal.timeout(this.#intervals.send), this.#aborting.signal])
    const failure = await this.#transport(message, signal)
    if (!failure?.isServer) this.#server.answered()
    else this.#server.failed(start)
    if (!failure) await this.#recordSent(mail)
    else if (failure.isFinal) await this.#giveUp(mail, failure.reason)
    else await this.#postpone(mail, failure)
  }

  async #recordSent(mail: ClaimedMail): Promise<void> {
    this.counts.sent += 1
    await this.#record(() => finishMail(this.#db, mail, { state: 'sent', last_error: null }))
    this.#log.info({ event: 'mail_sent', ...factsOf(mail) }, 'mail sent')
  }

  async #giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    this.counts.given_up += 1
    await this.#record(() => finishMail(this.#db, mail, { state: 'given_up', last_error: reason }))
    this.#log.error({ event: 'mail_given_up', ...factsOf(mail), reason }, 'mail given up')
  }

  async #postpone(mail: ClaimedMail, { reason }: SendFailure): Promise<void> {
    this.counts.failed += 1
    const seconds = pauseAfter(mail.attempts, this.#intervals) / 1000
    await this.#record(() => postponeMail(this.#db, mail, { last_error: reason, seconds }))
    this.#log.warn(
      { event: 'mail_delayed', ...factsOf(mail), reason, retry_in_seconds: seconds },
      'mail delayed',
    )
  }

  #record(write: () => Promise<void>): Promise<void> {
    const report = (error: unknown) => this.#reportStuck(error, 'the outcome of a mail cannot be recorded')
    return record(write, { look: this.#intervals.look, stopping: this.#stopping.signal, report })
  }
}

function factsOf({ tenant_id, id: mail_id, template, attempts }: ClaimedMail) {
  return { tenant_id, mail_id, template, attempts }
}

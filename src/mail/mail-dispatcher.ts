import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type ClaimedMail, claimMail, finishMail, NOT_WORTH_IT, postponeMail } from '../db/mails.ts'
import type { Database } from '../db/schema/tables.ts'
import { type SendFailure, type Transport, transportTo } from './delivery.ts'
import type { MailConfig } from './mail-config.ts'
import { messageFor } from './message.ts'

export type MailIntervals = {
  /** The pause before reading an empty outbox again. */
  readonly look: number
  /** The time limit of an attempt. A claim lasts twice as long, so that no other process sends the mail meanwhile. */
  readonly send: number
  /** The pause after the first failure. Each further one doubles it, up to `longestPause`. */
  readonly firstPause: number
  readonly longestPause: number
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

const MAX_SERVED = 1_000

export type MailCounts = { sent: number; failed: number; given_up: number }

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Options = {
  readonly db: Database
  readonly log: Log
  readonly config: MailConfig
  readonly intervals?: MailIntervals
}

/** Sends queued mails one at a time, schools in turn. Sends a mail again if a process dies between sending and recording. */
export class MailDispatcher {
  readonly counts: MailCounts = { sent: 0, failed: 0, given_up: 0 }
  readonly #db: Database
  readonly #log: Log
  readonly #intervals: MailIntervals
  readonly #from: MailConfig['from']
  readonly #transport: Transport
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  /** The schools, in the order of their last mail. */
  readonly #served = new LRUCache<string, true>({ max: MAX_SERVED })
  readonly #working: Promise<void>

  constructor({ db, log, config, intervals = MAIL_INTERVALS }: Options) {
    this.#db = db
    this.#log = log
    this.#intervals = intervals
    this.#from = config.from
    this.#transport = transportTo(config)
    this.#working = this.#work()
  }

  /** Waits for the mail in progress, or aborts it after `intervals.stop`. May be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const timeout = setTimeout(() => this.#aborting.abort(), this.#intervals.stop)
    await this.#working
    clearTimeout(timeout)
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      const goesOn = await this.#sendNext().catch((error: unknown) => {
        this.#log.error({ err: error, event: 'mail_stuck' }, 'the outbox cannot be read')
        return false
      })
      if (!goesOn) await this.#rest(this.#intervals.look)
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #rest(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  async #sendNext(): Promise<boolean> {
    const { send } = this.#intervals
    const mail = await claimMail(this.#db, (2 * send) / 1000, [...this.#served.rkeys()])
    if (!mail) return false
    this.#served.set(mail.tenant_id, true)
    if (mail.is_stale) {
      await this.#giveUp(mail, NOT_WORTH_IT)
      return true
    }
    const signal = AbortSignal.any([AbortSignal.timeout(send), this.#aborting.signal])
    const failure = await this.#transport(messageFor(mail, this.#from), signal)
    if (!failure) await this.#recordSent(mail)
    else if (failure.isFinal) await this.#giveUp(mail, failure.reason)
    else await this.#postpone(mail, failure)
    // Pauses if the server is down, instead of trying every waiting mail.
    return !failure?.isServer
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
    const { firstPause, longestPause } = this.#intervals
    const seconds = Math.min(firstPause * 2 ** (mail.attempts - 1), longestPause) / 1000
    await this.#record(() => postponeMail(this.#db, mail, { last_error: reason, seconds }))
    this.#log.warn(
      { event: 'mail_delayed', ...factsOf(mail), reason, retry_in_seconds: seconds },
      'mail delayed',
    )
  }

  /** Records an outcome. Retries while the database is unreachable: otherwise the mail would be sent again. */
  async #record(record: () => Promise<void>): Promise<void> {
    while (true) {
      try {
        return await record()
      } catch (error) {
        if (this.#isStopping) throw error
        this.#log.error({ err: error, event: 'mail_stuck' }, 'the outcome of a mail cannot be recorded')
        await this.#rest(this.#intervals.look)
      }
    }
  }
}

function factsOf({ tenant_id, id: mail_id, template, attempts }: ClaimedMail) {
  return { tenant_id, mail_id, template, attempts }
}

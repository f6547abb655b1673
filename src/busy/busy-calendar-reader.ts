import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { BusyAddresses } from '../auth/busy-addresses.ts'
import type { ClaimOrder } from '../db/claim-order.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import {
  type ClaimedCalendar,
  claimBusyCalendar,
  renewBusyClaim,
  storeFailure,
  storeReading,
} from '../db/school/busy-calendar-claims.ts'
import { requireInstructor } from '../db/school/instructors.ts'
import { requireTenant } from '../db/school/tenants.ts'
import type { BusyFailure } from '../domain/busy-policy.ts'
import { localToday } from '../domain/time-zone.ts'
import { pauseAfter } from '../outbox/failing-receivers.ts'
import { OutboxWorker } from '../outbox/worker.ts'
import type { Addresses } from '../webhooks/addresses.ts'
import type { Download, Validators } from './download.ts'
import { CalendarDownloader } from './downloader.ts'
import { CalendarParser } from './parser.ts'

export type BusyIntervals = {
  readonly look: number
  readonly every: number
  readonly download: number
  readonly renew: number
  /** The pause after the first failure; each further one doubles it. */
  readonly firstPause: number
  readonly longestPause: number
}

export const BUSY_INTERVALS: BusyIntervals = {
  look: 5_000,
  every: 15 * 60_000,
  download: 10_000,
  renew: 30_000,
  firstPause: 60_000,
  longestPause: 3_600_000,
}

/** Several renewals: a claim is lost only by a process that is gone, or has no database. */
const CLAIM_SECONDS = 120

/** The days for which the times of a calendar that cannot be read are kept. */
const KEPT_DAYS = 7

/** The calendars that a process reads at a time, each of a different school, and those of one server. */
const BOUNDS = { active: 4, most: 32, ofSchool: 1 }
const MAX_OF_SERVER = 8
/** The calendars that wait for the parser, of up to 5 MB each, before no further one is claimed. */
const MAX_WAITING = 4

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

type Options = {
  readonly db: DatabasePool
  readonly log: Log
  readonly secrets: BusyAddresses
  readonly addresses: Addresses
  readonly authorities?: readonly string[]
  readonly intervals?: BusyIntervals
  readonly now?: () => Date
}

/** Reads busy calendars, each by one process at a time. After a crash another process reads again, which changes nothing. */
export class BusyCalendarReader {
  readonly #options: Options
  readonly #intervals: BusyIntervals
  readonly #now: () => Date
  readonly #downloader: CalendarDownloader
  readonly #parser = new CalendarParser()
  readonly #worker: OutboxWorker<ClaimedCalendar>

  constructor(options: Options) {
    const { db, log, addresses, authorities, intervals = BUSY_INTERVALS, now = () => new Date() } = options
    this.#options = options
    this.#intervals = intervals
    this.#now = now
    this.#downloader = new CalendarDownloader({ addresses: addresses.settings, authorities })
    this.#worker = new OutboxWorker({
      bounds: BOUNDS,
      look: intervals.look,
      claim: async (order) =>
        this.#parser.waiting < MAX_WAITING
          ? claimBusyCalendar(db, { seconds: CLAIM_SECONDS, order: orderByServer(order) })
          : undefined,
      attempt: async (calendar, { stopping }) => {
        await this.#whileClaimed(calendar, stopping, (end) => this.#read(calendar, end))
        return true
      },
      giveBack: (calendar, hasFailed) => renewBusyClaim(db, calendar, hasFailed ? intervals.look / 1000 : 0),
      report: (error) =>
        log.error({ err: error, event: 'busy_calendars_stuck' }, 'busy calendars cannot be read'),
    })
  }

  /** Aborts readings in progress, which do not count as failures, and resolves when all are over. May be called again. */
  async stop(): Promise<void> {
    await this.#worker.stop()
    await Promise.all([this.#downloader.stop(), this.#parser.stop()])
  }

  /** Renews a claim while a calendar is read, however long it waits for its turn. The reading ends if the claim was lost. */
  async #whileClaimed(
    calendar: ClaimedCalendar,
    stopping: AbortSignal,
    read: (end: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { db, log } = this.#options
    const lost = new AbortController()
    const renew = async () => {
      if (!(await renewBusyClaim(db, calendar, CLAIM_SECONDS))) lost.abort()
    }
    const report = (error: unknown) =>
      log.error({ err: error, event: 'busy_calendars_stuck' }, 'claim of a busy calendar not renewed')
    const renewing = setInterval(() => void renew().catch(report), this.#intervals.renew)
    try {
      await read(AbortSignal.any([stopping, lost.signal]))
    } catch (error) {
      if (!lost.signal.aborted) throw error
    } finally {
      clearInterval(renewing)
    }
  }

  async #read(calendar: ClaimedCalendar, end: AbortSignal): Promise<void> {
    const { db, secrets } = this.#options
    const url = secrets.open(calendar.id, calendar.address)
    if (url === undefined) return this.#fail(calendar, 'address_lost')
    const tenant = await requireTenant(db, calendar.tenant_id)
    const { email } = await requireInstructor(db, calendar.tenant_id, calendar.instructor_id)
    const today = localToday(this.#now(), tenant.timezone)
    // The times also depend on these, so that an unchanged text is read again if one has changed.
    const read_for = `${today} ${tenant.timezone} ${hash('sha256', email ?? '', 'base64url')}`
    const isSame = calendar.read_for === read_for
    const { etag, last_modified }: Validators = isSame ? calendar : { etag: null, last_modified: null }
    const got = await this.#downloader.get(
      { url, validators: { etag, last_modified }, milliseconds: this.#intervals.download },
      end,
    )
    await this.#store(calendar, got, { read_for, isSame, end, today, timezone: tenant.timezone, email })
  }

  async #store(
    calendar: ClaimedCalendar,
    got: Download,
    {
      read_for,
      isSame,
      end,
      ...facts
    }: {
      readonly read_for: string
      readonly isSame: boolean
      readonly end: AbortSignal
      readonly today: string
      readonly timezone: string
      readonly email: string | null
    },
  ): Promise<void> {
    const { db } = this.#options
    const seconds = this.#intervals.every / 1000
    if (got === 'unchanged') {
      // Only a server that ignores the question for an unconditional response answers so without a reason.
      if (!isSame || calendar.digest === null) return this.#fail(calendar, 'http_error')
      const { etag, last_modified, digest } = calendar
      const same = { read_for, etag, last_modified, digest, seconds }
      return void (await inTransaction(db, (within) => storeReading(within, calendar, same)))
    }
    if ('failure' in got) return this.#fail(calendar, got.failure)
    const { bytes, etag, last_modified } = got
    const digest = Buffer.from(got.digest, 'hex')
    const reading = { read_for, etag, last_modified, digest, seconds }
    if (isSame && calendar.digest?.equals(digest))
      return void (await inTransaction(db, (within) => storeReading(within, calendar, reading)))
    const parsed = await this.#parser.parse({ bytes, ...facts }, end)
    if ('failure' in parsed) return this.#fail(calendar, parsed.failure)
    const { times } = parsed
    await inTransaction(db, (within) => storeReading(within, calendar, { ...reading, times }))
  }

  async #fail(calendar: ClaimedCalendar, failure: BusyFailure): Promise<void> {
    const { db, log } = this.#options
    const { tenant_id, instructor_id, id: calendar_id, failures } = calendar
    const seconds = pauseAfter(failures + 1, this.#intervals) / 1000
    const failed = { failure, seconds, keptDays: KEPT_DAYS }
    await inTransaction(db, (within) => storeFailure(within, calendar, failed))
    const facts = { tenant_id, instructor_id, calendar_id, failure, retry_in_seconds: seconds }
    log.warn({ event: 'busy_calendar_failed', ...facts }, 'busy calendar not read')
  }
}

function orderByServer(order: ClaimOrder): ClaimOrder {
  const byServer = Map.groupBy(order.receivers, (host) => host)
  return {
    ...order,
    receivers: [...byServer].flatMap(([host, own]) => (own.length >= MAX_OF_SERVER ? [host] : [])),
  }
}

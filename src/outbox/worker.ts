import { setTimeout as pause } from 'node:timers/promises'
import { type AttemptBounds, Attempts } from './attempts.ts'
import type { ServerState } from './server-state.ts'

type ClaimOrder = ReturnType<Attempts['claimOrder']>

export type OutboxTurn = {
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
  /** Records an outcome, again while the database is unreachable. Throws if the process stops meanwhile. */
  readonly record: (write: () => Promise<unknown>) => Promise<void>
}

export type Outbox<Claimed> = {
  readonly bounds: AttemptBounds
  readonly look: number
  readonly grace?: number
  readonly server?: ServerState
  readonly claim: (order: ClaimOrder) => Promise<Claimed | undefined>
  /** Returns whether it has recorded an outcome, which ended the claim. */
  readonly attempt: (claimed: Claimed, turn: OutboxTurn) => Promise<boolean>
  readonly giveBack: (claimed: Claimed, hasFailed: boolean) => Promise<unknown>
  readonly rest?: () => number
  readonly report: (error: unknown) => void
}

type ClaimedRow = { readonly tenant_id: string; readonly receiver: string }

/** Works through an outbox: a receiver is served by one process at a time, and schools take turns. */
export class OutboxWorker<Claimed extends ClaimedRow> {
  readonly #outbox: Outbox<Claimed>
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #attempts: Attempts
  readonly #working: Promise<void>

  constructor(outbox: Outbox<Claimed>) {
    this.#outbox = outbox
    this.#attempts = new Attempts(outbox.bounds)
    this.#working = this.#work()
  }

  /** Resolves when the attempts in progress are over; aborts them after `grace`. May be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const { grace = 0 } = this.#outbox
    if (grace === 0) this.#aborting.abort()
    const timeout = setTimeout(() => this.#aborting.abort(), grace)
    await this.#working
    clearTimeout(timeout)
  }

  /** Attempts the next due row, even one of a school or receiver with an attempt in progress. Returns false if there is none. */
  async attemptAnother(): Promise<boolean> {
    const claimed = await this.#claim({ ...this.#attempts.claimOrder(), schools: [], receivers: [] })
    if (claimed) await this.#takeTurn(claimed)
    return claimed !== undefined
  }

  async #work(): Promise<void> {
    const { look, rest = () => 0, report } = this.#outbox
    const { signal: stopping } = this.#stopping
    while (!stopping.aborted) {
      const { version } = this.#attempts
      const resting = this.#isBlocked ? 0 : rest()
      if (resting > 0) await pause(resting, undefined, { signal: stopping }).catch(() => undefined)
      else if (this.#isBlocked || !(await this.#startNext().catch(report)))
        await this.#attempts.changedSince(version, look, stopping)
    }
    await this.#attempts.ended()
  }

  get #isBlocked(): boolean {
    const { isFull, size } = this.#attempts
    return isFull || (size > 0 && (this.#outbox.server?.failures ?? 0) > 0)
  }

  async #startNext(): Promise<boolean> {
    const claimed = await this.#claim(this.#attempts.claimOrder())
    if (!claimed) return false
    const { tenant_id: school, receiver } = claimed
    this.#attempts.start({ school, receiver }, () => this.#takeTurn(claimed))
    return true
  }

  async #claim(order: ClaimOrder): Promise<Claimed | undefined> {
    const claimed = await this.#outbox.claim(order)
    if (claimed) this.#attempts.serve(claimed.tenant_id)
    return claimed
  }

  /** Gives the row back if its turn recorded no outcome, even after a fault of the database: it is not served until then. */
  async #takeTurn(claimed: Claimed): Promise<void> {
    const { attempt, giveBack, report } = this.#outbox
    const { signal: stopping } = this.#stopping
    const record = (write: () => Promise<unknown>) => this.#record(write)
    let hasFailed = false
    try {
      if (await attempt(claimed, { stopping, aborting: this.#aborting.signal, record })) return
    } catch (error) {
      hasFailed = !stopping.aborted
      if (hasFailed) report(error)
    }
    await record(() => giveBack(claimed, hasFailed)).catch(report)
  }

  async #record(write: () => Promise<unknown>): Promise<void> {
    const { look, report } = this.#outbox
    const { signal: stopping } = this.#stopping
    while (true) {
      try {
        await write()
        return
      } catch (error) {
        if (stopping.aborted) throw error
        report(error)
        await pause(look, undefined, { signal: stopping }).catch(() => undefined)
      }
    }
  }
}

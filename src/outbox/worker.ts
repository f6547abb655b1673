import { type AttemptBounds, Attempts } from './attempts.ts'
import { record } from './record.ts'
import { workThrough } from './work-through.ts'

export type Outbox<Claimed> = {
  readonly bounds: AttemptBounds
  readonly look: number
  readonly claim: (order: ReturnType<Attempts['claimOrder']>) => Promise<Claimed | undefined>
  readonly receiverOf: (claimed: Claimed) => string
  /** Returns whether it has recorded an outcome, which ended the claim. */
  readonly attempt: (claimed: Claimed, stopping: AbortSignal) => Promise<boolean>
  readonly giveBack: (claimed: Claimed, seconds: number) => Promise<unknown>
  readonly report: (error: unknown) => void
}

/** Works through an outbox: a receiver is served by one process at a time, and schools take turns. */
export class OutboxWorker<Claimed extends { readonly tenant_id: string }> {
  readonly #outbox: Outbox<Claimed>
  readonly #stopping = new AbortController()
  readonly #attempts: Attempts
  readonly #working: Promise<void>

  constructor(outbox: Outbox<Claimed>) {
    this.#outbox = outbox
    this.#attempts = new Attempts(outbox.bounds)
    this.#working = workThrough({
      attempts: this.#attempts,
      look: outbox.look,
      stopping: this.#stopping.signal,
      startNext: () => this.#startNext(),
      report: outbox.report,
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }

  async #startNext(): Promise<boolean> {
    const { claim, receiverOf } = this.#outbox
    const claimed = await claim(this.#attempts.claimOrder())
    if (!claimed) return false
    const { tenant_id: school } = claimed
    this.#attempts.serve(school)
    this.#attempts.start({ school, receiver: receiverOf(claimed) }, () => this.#takeTurn(claimed))
    return true
  }

  /** Gives the receiver back if its turn recorded no outcome, even after a fault of the database: it is not served until then. */
  async #takeTurn(claimed: Claimed): Promise<void> {
    const { look, attempt, giveBack, report } = this.#outbox
    const { signal: stopping } = this.#stopping
    let seconds = 0
    try {
      if (await attempt(claimed, stopping)) return
    } catch (error) {
      if (!stopping.aborted) {
        report(error)
        seconds = look / 1000
      }
    }
    await record(() => giveBack(claimed, seconds), { look, stopping, report }).catch(report)
  }
}

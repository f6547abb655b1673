import { unavailable } from '../../contract/problem.ts'
import type { Deadline } from '../../db/connection/deadline.ts'

/** The deadline by which a response must begin. A commit stops it, because afterwards only the outcome is a true response. */
export class ResponseDeadline implements Deadline {
  readonly #milliseconds: number
  #at: number
  #refuse: (() => boolean) | undefined
  #timer: NodeJS.Timeout | undefined
  #hasPassed = false

  /** Calls `refuse` when the time is up. It returns whether the request could still be rejected. */
  constructor(milliseconds: number, refuse: () => boolean) {
    this.#milliseconds = milliseconds
    this.#at = performance.now() + milliseconds
    this.#refuse = refuse
    this.#timer = setTimeout(() => this.#pass(), milliseconds)
  }

  /** Whether work has been committed, or is about to be, so that only its outcome is a true response. */
  get isStopped(): boolean {
    return this.#timer === undefined
  }

  start(): void {
    this.#requireTime()
    if (this.#timer || !this.#refuse) return
    this.#timer = setTimeout(() => this.#pass(), Math.max(0, this.#at - performance.now()))
  }

  stop(): void {
    this.#requireTime()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Waits for work that holds up nobody else, such as that of a thread. Afterwards the time begins anew. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.stop()
    try {
      return await work()
    } finally {
      this.#at = performance.now() + this.#milliseconds
      this.start()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#refuse = undefined
  }

  #pass(): void {
    this.#hasPassed = this.#refuse?.() ?? false
  }

  #requireTime(): void {
    if (this.#hasPassed) throw unavailable()
  }
}

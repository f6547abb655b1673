import { unavailable } from '../../contract/problem.ts'
import type { Deadline } from '../../db/connection/deadline.ts'

/** The time until an answer must have begun. A commit stops it: from then on only the outcome is a true answer. */
export class AnswerDeadline implements Deadline {
  readonly #at: number
  #refuse: (() => boolean) | undefined
  #timer: NodeJS.Timeout | undefined
  #hasPassed = false

  /** `refuse` is called when the time is up, and returns whether the request could still be refused. */
  constructor(milliseconds: number, refuse: () => boolean) {
    this.#at = performance.now() + milliseconds
    this.#refuse = refuse
    this.#timer = setTimeout(() => this.#pass(), milliseconds)
  }

  /** Whether work has been committed, or is about to be: its outcome is the only true answer. */
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

  /** Ends it for good: the answer is over. */
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
